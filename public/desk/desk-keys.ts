import type { App } from '../app.ts'
import type { Store } from '../state.ts'
import { closeTab, type Desk, moveTab, reopenTab, splitTab, stepTab } from './desk-state.ts'

/** The keys of the tabs; they mean the half that is worked in. */
export function addDeskKeys(
  app: App,
  desk: Store<Desk>,
  { signal, openNext }: { signal: AbortSignal; openNext: () => void },
): void {
  const change = (to: (desk: Desk) => Desk) => () => desk.set(to)
  const bindings = [
    { key: 't', label: 'New tab', run: openNext },
    {
      key: 'w',
      label: 'Close the tab',
      run: change((all) => closeTab(all, all.active, all[all.active].current)),
    },
    { key: 'T', label: 'Bring back the tab closed last', run: change(reopenTab) },
    { key: '[', label: 'Previous tab', run: change((all) => stepTab(all, -1)) },
    { key: ']', label: 'Next tab', run: change((all) => stepTab(all, 1)) },
    { key: '{', label: 'Move the tab to the left', run: change((all) => moveTab(all, -1)) },
    { key: '}', label: 'Move the tab to the right', run: change((all) => moveTab(all, 1)) },
    { key: '\\', label: 'Show the tab beside, or back', run: change(splitTab) },
  ]
  app.keys.add(
    bindings.map((binding) => ({ ...binding, group: 'Tabs' })),
    signal,
  )
}
