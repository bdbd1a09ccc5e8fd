import type { ViewContext } from '../../app/view.ts'

export type EditActions = {
  done(): Promise<void>
  save(): Promise<void>
  toggle(): void
  toggleSource(): void
}

/** The keys of the editor; they work in its fields. */
export function addEditKeys(
  root: HTMLElement,
  { done, save, toggle, toggleSource }: EditActions,
  { app, signal }: ViewContext,
): void {
  const keys = [
    { key: 'Escape', label: 'Done', run: () => done() },
    { key: 'Mod+Enter', label: 'Done', run: () => done() },
    { key: 'Mod+s', label: 'Save now', run: () => save() },
    { key: 'Mod+e', label: 'Toggle preview', run: toggle },
    { key: 'Mod+/', label: 'Toggle Markdown source', run: toggleSource },
  ]
  app.keys.add(
    keys.map((binding) => ({ ...binding, group: 'Editor', inFields: true, within: root })),
    signal,
  )
}
