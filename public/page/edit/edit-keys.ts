import type { App } from '../../app/app.ts'
import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { LivePage } from '../data/page-data.ts'
import type { Editor } from './editor/code-mirror.ts'

type EditActions = { done(): Promise<void>; save(): Promise<void>; toggleSource(): void }

/** The keys of the editor; they work in its fields. */
export function addEditKeys(
  root: HTMLElement,
  { done, save, toggleSource }: EditActions,
  { app, signal }: { app: App; signal: AbortSignal },
): void {
  const keys = [
    { key: 'Escape', label: 'Done', run: () => done() },
    { key: 'Mod+Enter', label: 'Done', run: () => done() },
    { key: 'Mod+s', label: 'Save now', run: () => save() },
    { key: 'Mod+/', label: 'Toggle Markdown source', run: toggleSource },
  ]
  app.keys.add(
    keys.map((binding) => ({ ...binding, group: 'Editor', inFields: true, within: root })),
    signal,
  )
}

/** Makes the page's command for the source one of the editor, until it is left. */
export function offerSource(data: LivePage, editor: Editor | null, signal: AbortSignal): () => void {
  const { toggleSource: write } = data
  signal.addEventListener('abort', () => {
    data.toggleSource = write
  })
  data.toggleSource = () => {
    const on = !loadEditorModes().source
    saveEditorModes({ source: on })
    editor?.showSource(on)
    editor?.focus()
  }
  return data.toggleSource
}
