import type { EditorView } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'
import { type Attaching, attachFiles } from './attach-files.ts'

/** Asks for files, and attaches them at the caret. */
export function chooseFiles(view: EditorView, attaching: Attaching, closed: AbortSignal): void {
  const input = el('input', { type: 'file', multiple: true })
  input.addEventListener('change', () => {
    const at = view.state.selection.main.head
    void attachFiles(view, [...(input.files ?? [])], { at, attaching, closed })
    view.focus()
  })
  input.click()
}
