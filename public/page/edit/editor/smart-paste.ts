import { EditorSelection, type EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import DOMPurify from 'dompurify'
import { htmlToMarkdown } from '../../../../lib/files/import/html/html-to-markdown.ts'
import { escapeMarkdown } from '../../../../lib/files/import/html/inline.ts'
import { asCell, renderTable } from '../../../../lib/files/import/html/table.ts'
import { type Attaching, attachFiles, uploads } from './attach-files.ts'
import { isVerbatim } from './markdown-marks.ts'

// Pasting and dropping: files are attached, formatted text and tables become Markdown. Code and properties take everything
// as it is. An address over selected words becomes a link by CodeMirror's own doing.

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

// What is pasted, as Markdown. Each answers null where the text is best pasted as it is.

/** Beyond it the plain text is pasted: converting takes time, in which nothing else happens. */
const maxHtmlLength = 2_000_000

/** What says more than the plain text does. Editors of code put each word into a `span`, and nothing of these. */
const structure =
  /<(?:h[1-6]|ul|ol|li|table|a\s[^>]{0,2000}href|b|strong|i|em|del|s|strike|code|pre|blockquote|img|hr)[\s>/]/i

/** Formatted text. */
function markdownOfHtml(html: string): string | null {
  if (html.length > maxHtmlLength || !structure.test(html)) return null
  const body = DOMPurify.sanitize(withoutStyles(html), { RETURN_DOM: true })
  return htmlToMarkdown(body).trim() || null
}

/**
 * With styles and handlers under other names. None has an effect in a document that is only parsed, but browsers report
 * each as a violation of the page's policy. Cleaning is not done here.
 */
const withoutStyles = (html: string) =>
  html
    .replace(/<(\/?)style\b/gi, '<$1template')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(/([\s"'])style\s*=/gi, '$1data-style=').replace(/([\s"'])on[a-z]+\s*=/gi, '$1data-on='),
    )

/** Rows of a spreadsheet: lines with as many tabs in each. */
export function markdownOfRows(text: string): string | null {
  const rows = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
  const [head = []] = rows
  const isTable = rows.length > 1 && head.length > 1 && head[0] !== ''
  if (!isTable || rows.some(({ length }) => length !== head.length)) return null
  return renderTable(rows.map((row) => row.map((cell) => asCell(escapeMarkdown(cell)))))
}
