// The companion's column. What is drawn here is drawn on the server too; the conversation behind it begins in the
// browser.

import { inBrowser } from '#platform'
import type { CompanionState } from '../../lib/contract/companion.ts'
import type { Space } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import { type App, lookedAt } from '../app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { Living } from '../frame/nav.ts'
import { createCitationChips } from './citation-chips.ts'
import { type Composer, createComposer } from './composer.ts'
import { type ConversationPart, createConversation } from './conversation.ts'
import { createHeader, type Header } from './header.ts'
import { createLog, type Log } from './log.ts'
import { createResizer } from './resizer.ts'
import { newThread } from './thread-actions.ts'
import { toTurns } from './turn-state.ts'

export function renderRail(living: Living): HTMLElement {
  const { space, companion } = living.app.state.get()
  const inside = space && companion ? renderConversation(living, space, companion) : [nothing()]
  return el(
    'aside',
    { class: 'rail', id: 'rail', 'aria-label': 'Companion' },
    createResizer(living),
    strip(living, companion?.agent.name ?? 'Companion'),
    el('div', { class: 'rail-body' }, inside),
  )
}

function renderConversation(living: Living, space: Space, companion: CompanionState): HTMLElement[] {
  const { app, signal } = living
  const { agent } = companion
  let conversation: ConversationPart | null = null
  const chips = createCitationChips(app)
  const say = (text: string, subject = lookedAt(app.state.get())) => {
    log.jump()
    const sent = conversation?.send(text, subject)
    sent?.catch((error: unknown) => {
      composer.restore(text)
      app.toast(messageOf(error), { tone: 'problem' })
    })
  }
  const waiting = el('div', {})
  const header = createHeader(living, {
    agent,
    title: companion.title,
    onThreads: () => openThreads(),
    onNew: () => attempt(app, beginThread()),
  })
  const log = createLog({
    empty: emptyThread(space.name, companion.questions, say),
    onOlder: () => attempt(app, conversation?.loadOlder()),
    context: {
      app,
      chips,
      slug: space.slug,
      companion: agent.name,
      retry: (turn) => attempt(app, conversation?.retry(turn)),
      signal,
    },
  })
  const composer = createComposer(living, {
    spaceId: space.id,
    placeholder: 'Ask, or say what to change',
    onSend: say,
    onStop: () => attempt(app, conversation?.stop()),
    lastQuestion: () =>
      conversation?.state.get().turns.findLast(({ question }) => question)?.question?.text ?? null,
  })

  async function openThreads(): Promise<void> {
    const { showThreads } = await import('./threads.ts')
    if (conversation) showThreads({ app, spaceId: space.id, part: conversation })
  }
  /** Begins at once, without code that has to come first: what is typed behind it belongs to the new thread. */
  async function beginThread(): Promise<void> {
    if (conversation) await newThread({ app, spaceId: space.id, part: conversation })
  }
  log.show({ turns: toTurns(companion.messages, companion.cards), more: companion.more })
  if (inBrowser) {
    conversation = createConversation({ app, spaceId: space.id, initial: companion, signal })
    bind(living, conversation, { header, log, composer })
    const part = conversation
    const drawWaiting = async () => {
      const { drawQueue } = await import('./queue.ts')
      drawQueue({ app, spaceId: space.id, part }, waiting)
    }
    part.state.watch(({ queued }) => queued, drawWaiting, signal)
    if (companion.queued.length > 0) drawWaiting()
    const goToTurn = async () => {
      const query = new URLSearchParams(location.search)
      if (!query.has('turn')) return
      const { showTurn } = await import('./show-turn.ts')
      await attempt(app, showTurn({ app, spaceId: space.id, part, log }, query))
    }
    app.state.watch(() => location.search, goToTurn, signal)
    goToTurn()
    const key = { key: 'l', label: 'List of threads', group: 'Companion', run: openThreads }
    app.keys.add([key], signal)
  }
  return [
    header.element,
    ...(agent.mode === 'offline' ? [offlineNotice()] : []),
    log.element,
    waiting,
    composer.element,
    chips.popover,
  ]
}

async function attempt(app: App, work: Promise<void> | undefined): Promise<void> {
  await work?.catch((error: unknown) => app.toast(messageOf(error), { tone: 'problem' }))
}

type Parts = { header: Header; log: Log; composer: Composer }

/** Draws what the conversation says, at most once a frame, and tells a screen reader what has come to its end. */
function bind(
  { app, signal }: Living,
  conversation: ConversationPart,
  { header, log, composer }: Parts,
): void {
  const { state } = conversation
  let waiting = false
  const draw = () => {
    waiting = false
    log.show(state.get())
  }
  state.watch(
    ({ turns }) => turns,
    () => {
      // A page in the background gets no frames; its log is brought up to date when it is looked at again.
      if (!waiting) requestAnimationFrame(draw)
      waiting = true
    },
    signal,
  )
  state.watch(({ title }) => title, header.setTitle, signal)
  state.watch(
    ({ running }) => running,
    (running) => {
      header.setRunning(running !== null)
      composer.setRunning(running !== null)
      if (running === null) app.announce(lastWords(conversation))
    },
    signal,
  )
  app.keys.add(
    [
      {
        key: 'Escape',
        label: 'Stop the answer',
        group: 'Companion',
        inFields: true,
        when: () => state.get().running !== null,
        run: () => attempt(app, conversation.stop()),
      },
      {
        key: 'Escape',
        label: 'Hide the companion',
        group: 'Companion',
        inFields: true,
        when: () => state.get().running === null && document.documentElement.dataset.sheet === 'companion',
        run: () => app.toggleRail(false),
      },
    ],
    signal,
  )
  if (state.get().running) composer.setRunning(true)
}

function lastWords({ state }: ConversationPart): string {
  const { turns, agent } = state.get()
  const answer = turns.at(-1)?.answer
  if (!answer) return ''
  if (answer.problem) return `${agent.name}: ${answer.problem.message}`
  const drafts = answer.cards.length
  const made = drafts === 0 ? '' : ` ${drafts} ${drafts === 1 ? 'draft waits' : 'drafts wait'} for you.`
  return `${agent.name}: ${answer.text.replace(/[*_`#>[\]]/g, '').slice(0, 1500)}${made}`
}

function emptyThread(
  spaceName: string,
  questions: readonly string[],
  say: (text: string) => void,
): HTMLElement {
  return el(
    'section',
    { class: 'thread-empty' },
    el('p', { class: 'thread-empty-title' }, `Ask about ${spaceName}`),
    el(
      'p',
      { class: 'dim small' },
      'The companion reads what is here and cites it. Whatever it would change comes to you as a draft.',
    ),
    el(
      'ul',
      { class: 'questions' },
      questions.map((question) =>
        el(
          'li',
          {},
          el('button', { class: 'question', type: 'button', onclick: () => say(question) }, question),
        ),
      ),
    ),
  )
}

function offlineNotice(): HTMLElement {
  return el(
    'p',
    { class: 'offline-notice' },
    'Offline: I can search, quote and draft simple changes. ',
    el('a', { href: '/settings' }, 'Connect a model'),
  )
}

const nothing = () => el('p', { class: 'thread-empty dim' }, 'Make a Space, and the companion will be here.')

/** What is left of the rail when it is closed. */
function strip({ app }: Living, name: string): HTMLElement {
  return el(
    'button',
    {
      class: 'strip',
      type: 'button',
      title: `Show the ${name.toLowerCase()}`,
      'aria-label': `Show the ${name.toLowerCase()}`,
      onclick: () => app.toggleRail(true),
    },
    icon('companion'),
    el('span', { class: 'strip-name' }, name),
  )
}
