import type { Keys } from '../keys.ts'
import type { Store } from '../state.ts'
import { closeTab, type Desk, moveTab, reopenTab, splitTab, stepTab } from './desk-state.ts'

/** Adds the keys of the tabs to a page, or to the pane beside it, where `run` has the page do what they mean. */
export function addDeskKeys(keys: Keys, run: (key: string) => void, signal: AbortSignal): void {
  keys.add(
    deskKeys.map(({ key, label }) => ({ key, label, group: 'Tabs', run: () => run(key) })),
    signal,
  )
}

/** Does what a key of the tabs means for the half that is worked in; nothing for any other key. */
export function runDeskKey(key: string, desk: Store<Desk>, openNext: () => void): void {
  const known = deskKeys.find((each) => each.key === key)
  if (known?.change) desk.set(known.change)
  else if (known) openNext()
}

const deskKeys: { key: string; label: string; change: ((desk: Desk) => Desk) | null }[] = [
  { key: 't', label: 'New tab', change: null },
  { key: 'w', label: 'Close the tab', change: (all) => closeTab(all, all.active, all[all.active].current) },
  { key: 'T', label: 'Bring back the tab closed last', change: reopenTab },
  { key: '[', label: 'Previous tab', change: (all) => stepTab(all, -1) },
  { key: ']', label: 'Next tab', change: (all) => stepTab(all, 1) },
  { key: '{', label: 'Move the tab to the left', change: (all) => moveTab(all, -1) },
  { key: '}', label: 'Move the tab to the right', change: (all) => moveTab(all, 1) },
  { key: '\\', label: 'Show the tab beside, or back', change: splitTab },
]
