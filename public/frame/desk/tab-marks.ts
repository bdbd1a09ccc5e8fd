// The marks on a tab: unsaved text, changes since it was last viewed, being read by the companion, a draft that waits.

import type { CardLine } from '../../../lib/contract/changes/card.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { AppContext, Side, Tab } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { currentTab, type Desk, pathOf } from './desk-state.ts'
import { loadChanged, storeChanged } from './desk-storage.ts'

export type TabMark = 'unsaved' | 'saving' | 'error' | 'reading' | 'draft' | 'changed'

/** Follows the marks of all tabs; `onChange` is called when any may have changed. */
export function createTabMarks(
  { app, signal }: AppContext,
  desk: Store<Desk>,
  onChange: () => void,
): (tab: Tab, side: Side) => TabMark | null {
  const { state, live } = app
  const unsaved = trackUnsaved({ app, signal })
  const changed = loadChanged()
  const waiting = trackWaiting({ app, signal }, onChange)

  unmarkShown(desk.get())
  desk.watch((all) => all, unmarkShown, signal)
  live.on(onLive, signal)
  state.watch(
    ({ beside, saving, reading }) => [beside?.saving, beside?.tab, saving, reading].join('\n'),
    onChange,
    signal,
  )

  return (tab, side) => {
    const { saving, beside, reading } = state.get()
    const path = pathOf(tab.href)
    const isShown = currentTab(desk.get()[side])?.href === tab.href
    const own = side === 'left' ? saving : (beside?.saving ?? null)
    if (isShown && own) return own
    const unsavedCount = unsaved.get(path)
    if (unsavedCount) return unsavedCount
    if (reading.some((id) => path.endsWith(`/${id}`))) return 'reading'
    if (waiting.has(path.split('/').at(-1) ?? '')) return 'draft'
    return changed.has(path) ? 'changed' : null
  }

  function unmarkShown({ left, right }: Desk): void {
    const visiblePaths = [currentTab(left), currentTab(right)].flatMap((tab) => (tab ? pathOf(tab.href) : []))
    if (visiblePaths.filter((path) => changed.delete(path)).length > 0) storeChanged(changed)
  }

  function onLive(event: LiveEvent): void {
    if (event.type === 'entity') onChange()
    if (event.type !== 'change' || event.data.status !== 'approved') return
    const { left, right } = desk.get()
    const visiblePaths = [currentTab(left), currentTab(right)].map((tab) => tab && pathOf(tab.href))
    for (const { href } of [...left.tabs, ...right.tabs]) {
      const path = pathOf(href)
      if (path.endsWith(`/${event.data.entity_id}`) && !visiblePaths.includes(path)) changed.add(path)
    }
    storeChanged(changed)
    onChange()
  }
}

/** Drafts that are looked at for marks, of all that wait in the Space. */
const maxWaiting = 200

/** The ids of what drafts of the Space are about that wait. */
function trackWaiting({ app, signal }: AppContext, onChange: () => void): ReadonlySet<string> {
  const { state, live, api } = app
  const waiting = new Set<string>()
  let requests = 0
  const load = async () => {
    const request = ++requests
    const space_id = state.get().space?.id
    if (!space_id) return
    const query = { space_id, tab: 'waiting', limit: maxWaiting }
    // Without the marks the tabs are whole; the next event asks again.
    const drafts = await api.get<List<CardLine>>(withQuery('/api/inbox/lines', query)).catch(() => null)
    if (!drafts || request !== requests || signal.aborted) return
    waiting.clear()
    for (const { entity_id } of drafts.items) waiting.add(entity_id)
    onChange()
  }
  live.on((event) => {
    if (event.type === 'change' || (event.type === 'hello' && !event.data.resumed)) load()
  }, signal)
  state.watch(({ space }) => space?.id, load, signal)
  load()
  return waiting
}

/** Paths that were left with unsaved text, until they are shown again or saved. */
function trackUnsaved({ app: { state, live }, signal }: AppContext): ReadonlyMap<string, TabMark> {
  const unsaved = new Map<string, TabMark>()
  let { here, saving } = state.get()
  state.watch(
    (all) => all,
    (now) => {
      if (now.here.href !== here.href && saving)
        unsaved.set(pathOf(here.href), saving === 'error' ? 'error' : 'unsaved')
      here = now.here
      saving = now.saving
      unsaved.delete(pathOf(here.href))
    },
    signal,
  )
  live.on((event) => {
    if (event.type !== 'entity') return
    for (const path of unsaved.keys()) if (path.endsWith(`/${event.data.id}`)) unsaved.delete(path)
  }, signal)
  return unsaved
}
