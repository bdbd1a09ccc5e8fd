// The companion's column. It is drawn on the server too; the conversation behind it starts in the browser.

import { inBrowser } from '#platform'
import type { CompanionState } from '../../lib/contract/companion/companion.ts'
import type { Space } from '../../lib/contract/entities.ts'
import { toastFailure } from '../app/actions/toast-failure.ts'
import { messageOf } from '../app/api/api.ts'
import { type App, type AppContext, activeSubject } from '../app/app.ts'
import { fitRailWidth, railWidths } from '../app/prefs.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { createComposer } from './composer/composer.ts'
import { createConversation } from './conversation/conversation.ts'
import { createHeader } from './header.ts'
import { createLog } from './log/log.ts'
import { startThread } from './start-thread.ts'
import { newThread, type RailContext, type Sending } from './state/conversation-part.ts'
import { toTurns } from './state/turn-state.ts'
import { createCitationChips } from './turn/citation-chips.ts'

export function renderRail(context: RailContext): HTMLElement {
  const { space, companion } = context.app.state.get()
  return el(
    'aside',
    { class: 'rail', id: 'rail', 'aria-label': 'Companion' },
    createResizer(context),
    renderStrip(context.app, companion?.agent.name ?? 'Companion'),
    el(
      'div',
      { class: 'rail-body' },
      space && companion
        ? renderThread(context, space, companion)
        : el('p', { class: 'thread-empty dim' }, 'Open a Space to ask its companion.'),
    ),
  )
}

/** The strip of the closed rail. */
function renderStrip({ panels }: App, name: string): HTMLElement {
  const label = `Show ${name.toLowerCase()}`
  return el(
    'button',
    {
      class: 'strip',
      type: 'button',
      title: label,
      'aria-label': label,
      onclick: () => panels.toggleRail(true),
    },
    icon('sidebar'),
  )
}

/** Header, log and composer of a Space's thread, and in the browser the conversation behind them. */
function renderThread(context: RailContext, space: Space, companion: CompanionState): HTMLElement[] {
  const { app, desk, cards, signal } = context
  const { agent } = companion
  const spaceId = space.id
  const part = inBrowser ? createConversation({ app, desk, spaceId, initial: companion, signal }) : null
  const thread = part && { app, spaceId, part }
  const chips = createCitationChips(app)
  const queue = el('div', {})
  const header = createHeader(app, {
    state: companion,
    title: companion.title,
    onThreads: () => void openThreads(),
    // At once, without loading code: the keys pressed next belong to the new thread.
    onNew: () => thread && toastFailure(app, newThread(thread)),
    onSwitch: (slot) => void openCompanions(slot),
  })
  const empty = renderEmptyThread(space.name, companion, send)
  part?.state.watch(
    ({ questions, agent: now }) => [now.mode, ...questions].join('\n'),
    () => empty.replaceChildren(...renderEmptyThread(space.name, part.state.get(), send).childNodes),
    signal,
  )
  const log = createLog({
    empty,
    onOlder: () => part && toastFailure(app, part.loadOlder()),
    context: {
      app,
      cards,
      chips,
      part,
      signal,
      slug: space.slug,
      companion: () => part?.state.get().agent ?? agent,
    },
  })
  const composer = createComposer(context, {
    spaceId,
    placeholder: 'Ask, or request a change…',
    onSend: send,
    onStop: () => part && toastFailure(app, part.stop()),
    companions: companion,
    onNew: () => thread && toastFailure(app, newThread(thread)),
    onChooseModel: () => void chooseModel(),
    lastQuestion: () => part?.state.get().turns.findLast(({ question }) => question)?.question?.text ?? null,
  })
  log.show({ turns: toTurns(companion.messages, companion.cards, companion.agents), more: companion.more })
  if (thread) startThread(thread, { header, log, composer, queue, openThreads }, signal)
  return [header.element, log.element, queue, composer.element, chips.popover]

  function send(text: string, subject = activeSubject(app.state.get()), sending: Sending = {}): void {
    log.jump()
    part?.send(text, subject, sending).catch((error: unknown) => {
      composer.restore(text, sending)
      app.toast(messageOf(error), { tone: 'problem' })
    })
  }

  async function openThreads(): Promise<void> {
    const { showThreads } = await import('./threads/threads-dialog.ts')
    if (thread) showThreads(thread)
  }

  async function openCompanions(slot: HTMLElement): Promise<void> {
    const { showCompanionsMenu } = await import('./threads/companions.ts')
    if (thread) showCompanionsMenu(thread, slot)
  }

  async function chooseModel(): Promise<void> {
    const { showModels } = await import('./composer/model-dialog.ts')
    if (thread) showModels(thread)
  }
}

/** A thread without messages: questions that this Space can answer, and what can be done without a model. */
function renderEmptyThread(
  spaceName: string,
  { agent, questions }: Pick<CompanionState, 'agent' | 'questions'>,
  onAsk: (text: string) => void,
): HTMLElement {
  return el(
    'section',
    { class: 'thread-empty' },
    el('p', { class: 'thread-empty-title' }, `Ask about ${spaceName}`),
    agent.mode === 'offline'
      ? el(
          'p',
          { class: 'dim no-model' },
          'No model connected. I can search, quote and draft simple changes. ',
          el('a', { href: '/settings/model' }, 'Connect a model'),
        )
      : el('p', { class: 'dim' }, 'Answers cite what they use. Changes come as drafts to approve.'),
    el(
      'ul',
      { class: 'questions' },
      questions.map((question) =>
        el(
          'li',
          {},
          el('button', { class: 'question', type: 'button', onclick: () => onAsk(question) }, question),
        ),
      ),
    ),
  )
}

/** The edge of the rail: dragged, or moved with the arrow keys; a double click resets the width. */
function createResizer({ app, signal }: AppContext): HTMLElement {
  const edge = el('div', {
    class: 'resizer',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Companion width',
    'aria-valuemin': railWidths.min,
    'aria-valuemax': railWidths.max,
    'aria-valuenow': app.prefs.get().railWidth,
    onpointerdown: (event) => dragEdge(app.prefs, edge, event),
    onkeydown: ({ key }) => stepEdge(app.prefs, key),
    ondblclick: () => app.prefs.set({ railWidth: railWidths.initial }),
  })
  app.prefs.watch(
    ({ railWidth }) => railWidth,
    (width) => edge.setAttribute('aria-valuenow', String(width)),
    signal,
  )
  return edge
}

/** Follows the pointer until it is released. */
function dragEdge(prefs: App['prefs'], edge: HTMLElement, { pointerId }: PointerEvent): void {
  const dragging = new AbortController()
  // Throws if the pointer is already up.
  try {
    edge.setPointerCapture(pointerId)
  } catch {
    return
  }
  edge.addEventListener(
    'pointermove',
    ({ clientX }) => prefs.set({ railWidth: fitRailWidth(innerWidth - clientX) }),
    dragging,
  )
  for (const end of ['pointerup', 'pointercancel'] as const)
    edge.addEventListener(end, () => dragging.abort(), dragging)
}

function stepEdge(prefs: App['prefs'], key: string): void {
  const by = key === 'ArrowLeft' ? 1 : key === 'ArrowRight' ? -1 : 0
  if (by !== 0)
    prefs.set(({ railWidth }) => ({ railWidth: fitRailWidth(railWidth + by * 2 * railWidths.step) }))
}
