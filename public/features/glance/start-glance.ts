// The glance in the browser: looks at what is open once it has been open for a while, and shows what the server says.
// One nudge at a time, above the composer; it never takes the focus.

import type {
  Glance,
  GlanceDecision,
  GlanceSettings,
  GlanceView,
} from '../../../lib/contract/companion/glance.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import { type AppContext, type AppState, activeSubject } from '../../app/app.ts'
import { keepAboveComposer, renderNudge } from './nudge.ts'

/** How long something is open before it is looked at, and how long nothing is written. */
const dwellMs = 30_000
const quietMs = 5000

export function startGlance({ app, signal }: AppContext): void {
  let isOn = false
  let nudge: Glance | null = null
  let current: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let typedAt = Number.NEGATIVE_INFINITY

  const isTyping = () => performance.now() - typedAt < quietMs
  startWatching({ app, signal }, isTyping)
  signal.addEventListener('abort', () => {
    current?.abort()
    clearTimeout(timer)
  })
  document.addEventListener('input', () => (typedAt = performance.now()), { signal })
  document.addEventListener('visibilitychange', wait, { signal })
  app.state.watch(({ space }) => space?.id, enter, signal)
  app.state.watch(keyOf, wait, signal)
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) void enter()
    if (event.type !== 'nudge' || event.data.space_id !== app.state.get().space?.id) return
    if (event.data.state === 'off') app.toast('Glance was turned off: ten nudges in a row were not used.')
    void enter()
  }, signal)
  void enter()

  /** Learns whether it is on in the Space, and what it shows there now. */
  async function enter(): Promise<void> {
    const spaceId = app.state.get().space?.id
    if (!spaceId) return show(null)
    const path = `/api/spaces/${spaceId}`
    const settings = await app.api.get<GlanceSettings>(`${path}/glance-settings`).catch(() => null)
    const isLive = settings?.mode === 'live'
    const open = isLive
      ? await app.api.get<List<Glance>>(`${path}/glances?open=true&limit=1`).catch(() => null)
      : null
    if (app.state.get().space?.id !== spaceId) return
    isOn = settings !== null && settings.mode !== 'off' && settings.unavailable === null
    show(open?.items[0] ?? null)
    wait()
  }

  function show(next: Glance | null): void {
    if (next?.id === nudge?.id) return
    const space = app.state.get().space
    nudge = next
    current?.abort()
    current = null
    if (next && space) {
      current = new AbortController()
      const element = renderNudge(app, { nudge: next, slug: space.slug, onSettled: () => show(null) })
      keepAboveComposer(element, current.signal)
    }
    document.documentElement.toggleAttribute('data-nudge', current !== null)
    if (next?.message) app.announce(`Suggestion from your companion: ${next.message}`)
  }

  function wait(): void {
    clearTimeout(timer)
    if (isOn && document.visibilityState === 'visible') timer = setTimeout(look, dwellMs)
  }

  async function look(): Promise<void> {
    const state = app.state.get()
    const view = viewOf(state)
    if (!view || !state.space || signal.aborted) return
    if (isTyping()) return wait()
    const path = `/api/spaces/${state.space.id}/glance`
    // What it says comes as an event, in every tab.
    await app.api.post<GlanceDecision>(path, { view }).catch(() => {})
  }
}

/** Lets other parts have a window watched, one at a time. */
function startWatching({ app, signal }: AppContext, isTyping: () => boolean): void {
  let current: AbortController | null = null
  signal.addEventListener('abort', () => current?.abort())
  app.watchWindow = async (space) => {
    try {
      // First of all: a browser asks for a window only right after a click.
      const stream = await navigator.mediaDevices.getDisplayMedia({ video: true })
      const { watchWindow } = await import('./watch-window.ts')
      current?.abort()
      current = new AbortController()
      watchWindow({ app, space, stream, settleMs: dwellMs, isTyping, ended: current })
    } catch (error) {
      // The owner chose none.
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError'
      if (!isRefused) app.toast(`The window cannot be watched. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}

/** What is open, as the server looks at it. */
function viewOf(state: AppState): GlanceView | null {
  const subject = activeSubject(state)
  if (subject) return { entityType: subject.entityType, entityId: subject.entityId }
  const list = /^\/s\/[^/]+\/(mail|tasks)$/.exec(state.path)?.[1]
  return list === 'mail' || list === 'tasks' ? { list } : null
}

const keyOf = (state: AppState): string => JSON.stringify(viewOf(state))
