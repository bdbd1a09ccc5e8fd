import type { App } from '../app.ts'
import { createStore, type Store } from '../state.ts'
import type { Batch } from './batch.ts'

/** What the Inbox keeps while it is drawn anew, and until the page goes. */
export type Memory = {
  selected: ReadonlySet<string>
  batch: Batch | null
  stop: AbortController | null
  /** How far the list is scrolled. */
  scroll: number
}

const memories = new WeakMap<App, Store<Memory>>()

export function memoryOf(app: App): Store<Memory> {
  const known = memories.get(app)
  if (known) return known
  const made = createStore<Memory>({ selected: new Set(), batch: null, stop: null, scroll: 0 })
  memories.set(app, made)
  return made
}
