import type { App } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'
import type { Batch } from './batch.ts'

/** The state of the Inbox that survives a refresh, until the view is left. */
export type ListState = {
  selected: ReadonlySet<string>
  batch: Batch | null
  stop: AbortController | null
  /** The scroll position of the list. */
  scroll: number
}

const states = new WeakMap<App, Store<ListState>>()

export function listStateOf(app: App): Store<ListState> {
  const known = states.get(app)
  if (known) return known
  const created = createStore<ListState>({ selected: new Set(), batch: null, stop: null, scroll: 0 })
  states.set(app, created)
  return created
}
