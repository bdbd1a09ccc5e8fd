// The glance in the browser: looks at what is open once it has been open for a while, and shows what the server says.
// One nudge at a time, above the composer; it never takes the focus.

import type {
  Glance,
  GlanceDecision,
  GlanceSettings,
  GlanceView,
} from '../../lib/contract/companion/glance.ts'
import type { List } from '../../lib/contract/list.ts'
import type { AppContext } from '../app/app.ts'
import { type AppState, activeSubject } from '../app/app-state.ts'
import { renderNudge } from './nudge.ts'

/** How long something is open before it is looked at, and how long nothing is written. */
const dwellMs = 30_000
const quietMs = 5000

export function startGlance({ app, signal }: AppContext): void {
  let isOn = false
  let nudge: Glance | null = null
  let element: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let typedAt = Number.NEGATIVE_INFINITY

  const observer = new MutationObserver(place)
  signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  document.addEventListener('input', () => (typedAt = performance.now()), { signal })
  document.addEventListener('visibilitychange', wait, { signal })
  app.state.watch(({ space }) => space?.id, enter, signal)
  app.state.watch(keyOf, wait, signal)
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) void enter()
    if (event.type !== 'nudge' || event.data.space_id !== app.state.get().space?.id) return
    if (event.data.state === 'off')
      app.toast('The glance turned itself off: ten nudges in a row were not used.')
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
    element?.remove()
    element =
      next && space ? renderNudge(app, { nudge: next, slug: space.slug, onSettled: () => show(null) }) : null
    document.documentElement.toggleAttribute('data-nudge', element !== null)
    observer.disconnect()
    // The rail is drawn again with another Space or thread.
    if (element) observer.observe(document.body, { childList: true, subtree: true })
    place()
    if (next?.message) app.announce(`Suggestion from your companion: ${next.message}`)
  }

  function place(): void {
    if (element && !element.isConnected) document.querySelector('.composer')?.prepend(element)
  }

  function wait(): void {
    clearTimeout(timer)
    if (isOn && document.visibilityState === 'visible') timer = setTimeout(look, dwellMs)
  }

  async function look(): Promise<void> {
    const state = app.state.get()
    const view = viewOf(state)
    if (!view || !state.space || signal.aborted) return
    if (performance.now() - typedAt < quietMs) return wait()
    const path = `/api/spaces/${state.space.id}/glance`
    // What it says comes as an event, in every tab.
    await app.api.post<GlanceDecision>(path, { view }).catch(() => {})
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
