import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { Editor } from './editor/code-mirror.ts'

/** The button that shows the Markdown as it is. Returns what it does, for a key. */
export function mountSourceToggle(
  root: HTMLElement,
  editor: () => Editor | null,
  signal: AbortSignal,
): () => void {
  const button = root.querySelector<HTMLElement>('#source-toggle')!
  const show = (on: boolean) => button.setAttribute('aria-pressed', String(on))
  show(loadEditorModes().source)
  button.addEventListener('click', toggle, { signal })
  return toggle

  function toggle(): void {
    const on = button.getAttribute('aria-pressed') !== 'true'
    saveEditorModes({ source: on })
    show(on)
    editor()?.showSource(on)
    editor()?.focus()
  }
}
