import type { Keys } from '../../app/keys.ts'
import type { Store } from '../../app/state.ts'
import { closeTab, type Desk, moveTab, reopenTab, splitTab, stepTab } from './desk-state.ts'

/** Adds the keys of the tabs to a page, or to its right pane, where `run` asks the page to act. */
export function addDeskKeys(keys: Keys, run: (key: string) => void, signal: AbortSignal): void {
  keys.add(
    deskKeys.map(({ key, label }) => ({ key, label, group: 'Tabs', run: () => run(key) })),
    signal,
  )
}

/** Applies a key of the tabs to the active pane; nothing for any other key. */
export function runDeskKey(key: string, desk: Store<Desk>, openTab: () => void): void {
  const deskKey = deskKeys.find((each) => each.key === key)
  if (deskKey?.change) desk.set(deskKey.change)
  else if (deskKey) openTab()
}

const deskKeys: { key: string; label: string; change: ((desk: Desk) => Desk) | null }[] = [
  { key: 'Alt+t', label: 'New tab', change: null },
  { key: 'Alt+w', label: 'Close tab', change: (all) => closeTab(all, all.active, all[all.active].current) },
  { key: 'Alt+T', label: 'Reopen closed tab', change: reopenTab },
  { key: '[', label: 'Previous tab', change: (all) => stepTab(all, -1) },
  { key: ']', label: 'Next tab', change: (all) => stepTab(all, 1) },
  { key: '{', label: 'Move tab left', change: (all) => moveTab(all, -1) },
  { key: '}', label: 'Move tab right', change: (all) => moveTab(all, 1) },
  { key: '\\', label: 'Toggle split view', change: splitTab },
]
