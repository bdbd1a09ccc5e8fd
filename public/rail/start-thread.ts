import { toastFailure } from '../app/actions/toast-failure.ts'
import type { Composer } from './composer/composer.ts'
import type { Header } from './header.ts'
import type { Log } from './log/log.ts'
import type { ConversationPart, ThreadContext } from './state/conversation-part.ts'

export type ThreadParts = {
  header: Header
  log: Log
  composer: Composer
  /** Where queued messages are shown. */
  queue: HTMLElement
  openThreads: () => Promise<void>
}

/** Draws the conversation whenever it changes, and adds its keys. */
export function startThread(thread: ThreadContext, parts: ThreadParts, signal: AbortSignal): void {
  const { app, part } = thread
  const { header, composer } = parts
  drawTurns(part, parts, signal)
  drawQueued(thread, parts, signal)
  showTurnOfAddress(thread, parts, signal)
  part.state.watch(({ title }) => title, header.setTitle, signal)
  part.state.watch(
    ({ agent }) => agent,
    () => {
      header.show(part.state.get())
      composer.setCompanions(part.state.get())
    },
    signal,
  )
  part.state.watch(
    ({ running }) => running,
    (running) => {
      composer.setRunning(running !== null)
      if (running === null)
        import('./log/show-turn.ts').then(({ lastAnswer }) => app.announce(lastAnswer(part)))
    },
    signal,
  )
  addKeys(thread, parts, signal)
  if (part.state.get().running) composer.setRunning(true)
}

/** At most once a frame. A page in the background gets no frames; its log is updated when it is shown again. */
function drawTurns({ state }: ConversationPart, { log }: ThreadParts, signal: AbortSignal): void {
  let scheduled = false
  const draw = () => {
    scheduled = false
    log.show(state.get())
  }
  state.watch(
    ({ turns }) => turns,
    () => {
      if (!scheduled) requestAnimationFrame(draw)
      scheduled = true
    },
    signal,
  )
}

function drawQueued(thread: ThreadContext, { queue }: ThreadParts, signal: AbortSignal): void {
  const { state } = thread.part
  const draw = async () => {
    const { drawQueue } = await import('./composer/queue.ts')
    drawQueue(thread, queue)
  }
  state.watch(({ queued }) => queued, draw, signal)
  if (state.get().queued.length > 0) draw()
}

/** `?turn=` names a turn to scroll to. */
function showTurnOfAddress(thread: ThreadContext, { log }: ThreadParts, signal: AbortSignal): void {
  const { app } = thread
  const show = async () => {
    const query = new URLSearchParams(location.search)
    if (!query.has('turn')) return
    const { showTurn } = await import('./log/show-turn.ts')
    await toastFailure(app, showTurn({ ...thread, log }, query))
  }
  app.state.watch(() => location.search, show, signal)
  show()
}

function addKeys({ app, part }: ThreadContext, { openThreads }: ThreadParts, signal: AbortSignal): void {
  const isRunning = () => part.state.get().running !== null
  const isSheet = () => document.documentElement.dataset.sheet === 'companion'
  const keys = [
    { key: 'l', label: 'Show threads', run: openThreads },
    {
      key: 'Escape',
      label: 'Stop answering',
      inFields: true,
      when: isRunning,
      run: () => toastFailure(app, part.stop()),
    },
    {
      key: 'Escape',
      label: 'Hide companion',
      inFields: true,
      when: () => !isRunning() && isSheet(),
      run: () => app.panels.toggleRail(false),
    },
  ]
  app.keys.add(
    keys.map((binding) => ({ ...binding, group: 'Companion' })),
    signal,
  )
}
