import { inBrowser } from '#platform'
import type { AttachedFile, CompanionState } from '../../lib/contract/companion/companion.ts'
import type { Space } from '../../lib/contract/entities.ts'
import { toastFailure } from '../app/actions/toast-failure.ts'
import { messageOf } from '../app/api/api.ts'
import { activeSubject } from '../app/app.ts'
import { el } from '../ui/dom.ts'
import { createComposer } from './composer/composer.ts'
import { createConversation } from './conversation/conversation.ts'
import { renderEmptyThread } from './empty-thread.ts'
import { createHeader } from './header.ts'
import { createLog } from './log/log.ts'
import { startThread } from './start-thread.ts'
import type { RailContext } from './state/rail-context.ts'
import { toTurns } from './state/turn-state.ts'
import { newThread } from './threads/thread-actions.ts'
import { createCitationChips } from './turn/citation-chips.ts'

/** Header, log and composer of a Space's thread, and in the browser the conversation behind them. */
export function renderThread(context: RailContext, space: Space, companion: CompanionState): HTMLElement[] {
  const { app, desk, cards, signal } = context
  const { agent } = companion
  const spaceId = space.id
  const part = inBrowser ? createConversation({ app, desk, spaceId, initial: companion, signal }) : null
  const thread = part && { app, spaceId, part }
  const chips = createCitationChips(app)
  const queue = el('div', {})
  const header = createHeader(context, {
    state: companion,
    title: companion.title,
    onThreads: () => void openThreads(),
    // At once, without loading code: the keys pressed next belong to the new thread.
    onNew: () => thread && toastFailure(app, newThread(thread)),
    onSwitch: (slot) => void openCompanions(slot),
  })
  const empty = renderEmptyThread(space.name, companion.questions, send)
  part?.state.watch(
    ({ questions }) => questions.join('\n'),
    () =>
      empty.replaceChildren(...renderEmptyThread(space.name, part.state.get().questions, send).childNodes),
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
    onChooseModel: () => void chooseModel(),
    lastQuestion: () => part?.state.get().turns.findLast(({ question }) => question)?.question?.text ?? null,
  })
  log.show({ turns: toTurns(companion.messages, companion.cards, companion.agents), more: companion.more })
  if (thread) startThread(thread, { header, log, composer, queue, openThreads }, signal)
  const notice = agent.mode === 'offline' ? [renderOfflineNotice()] : []
  return [header.element, ...notice, log.element, queue, composer.element, chips.popover]

  function send(
    text: string,
    subject = activeSubject(app.state.get()),
    files: readonly AttachedFile[] = [],
  ): void {
    log.jump()
    part?.send(text, subject, { files }).catch((error: unknown) => {
      composer.restore(text, files)
      app.toast(messageOf(error), { tone: 'problem' })
    })
  }

  async function openThreads(): Promise<void> {
    const { showThreads } = await import('./threads/threads-dialog.ts')
    if (thread) showThreads(thread)
  }

  async function openCompanions(slot: HTMLElement): Promise<void> {
    const { showCompanionsMenu } = await import('./threads/companions-menu.ts')
    if (thread) showCompanionsMenu(thread, slot)
  }

  async function chooseModel(): Promise<void> {
    const { showModels } = await import('./composer/model-dialog.ts')
    if (thread) showModels(thread)
  }
}

function renderOfflineNotice(): HTMLElement {
  return el(
    'p',
    { class: 'offline-notice' },
    'Offline: can search, quote and draft simple changes. ',
    el('a', { href: '/settings/model' }, 'Connect a model'),
  )
}
