// Pasting and dropping: files are attached, formatted text and tables become Markdown. Code and properties take everything
// as it is. An address over selected words becomes a link by CodeMirror's own doing.

import { EditorSelection, type EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { isVerbatim } from '../syntax/is-verbatim.ts'
import { type Attaching, attachFiles } from './attach-files.ts'
import { markdownOfHtml, markdownOfRows } from './pasted-markdown.ts'
import { uploads } from './uploads.ts'

/** `closed`: the editor is gone. */
export function smartPaste(attaching: Attaching, closed: AbortSignal): Extension {
  return [
    uploads,
    EditorView.domEventHandlers({
      paste(event, view) {
        const { clipboardData } = event
        if (!clipboardData || view.state.readOnly) return false
        const files = filesToAttach(clipboardData)
        const { from } = view.state.selection.main
        if (files.length > 0) void attachFiles(view, files, { at: from, attaching, closed })
        else if (!pasteText(view, clipboardData)) return false
        event.preventDefault()
        return true
      },
      drop(event, view) {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0 || view.state.readOnly) return false
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
        void attachFiles(view, files, { at, attaching, closed })
        event.preventDefault()
        return true
      },
    }),
  ]
}

/** A spreadsheet puts a picture of its cells beside them: files count only where there is no text. */
function filesToAttach(data: DataTransfer): File[] {
  const hasText = data.getData('text/plain') !== '' && data.getData('text/html') !== ''
  return hasText ? [] : [...data.files]
}

function pasteText(view: EditorView, data: DataTransfer): boolean {
  const { state } = view
  const { from, to } = state.selection.main
  if (isVerbatim(state, from)) return false
  const text = data.getData('text/plain')
  const html = data.getData('text/html')
  const markdown = (html ? markdownOfHtml(html) : null) ?? markdownOfRows(text)
  if (markdown === null || markdown === text) return false
  const insert = asBlocks(state, markdown)
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + insert.length),
    userEvent: 'input.paste',
    scrollIntoView: true,
  })
  return true
}

/** Blocks stand apart from what is before and behind them on their lines. */
function asBlocks(state: EditorState, markdown: string): string {
  const { from, to } = state.selection.main
  const isBlock = /\n|^(?:[|#>]|[-*+] |\d+[.)] |```)/.test(markdown)
  if (!isBlock) return markdown
  const before = state.sliceDoc(state.doc.lineAt(from).from, from).trim()
  const behind = state.sliceDoc(to, state.doc.lineAt(to).to).trim()
  return `${before === '' ? '' : '\n\n'}${markdown}${behind === '' ? '' : '\n\n'}`
}
