import { type Completion, type CompletionSource, startCompletion } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { localDay } from '../../../ui/time.ts'
import { prefixLine } from './format.ts'
import { isVerbatim } from './markdown-marks.ts'

// `/` at the beginning of a line or behind a space opens a list of what can be put there. What is typed narrows it.

export type SlashActions = {
  /** Asks for files and attaches them at the caret. */
  attach: (view: EditorView) => void
  /** Asks the companion about the text around the caret. */
  ask: (view: EditorView) => void
  /** Asks for a template and inserts its text at the caret. */
  template: (view: EditorView) => void
  now: () => Date
}

type Span = { from: number; to: number }

type Item = { label: string; detail: string; words?: string; run: (view: EditorView, span: Span) => void }

const opening = /(?:^|\s)\/[\p{L}\d ]{0,30}$/u

/** The list; nothing inside code. */
export function slashMenu(actions: SlashActions): CompletionSource {
  const options = itemsOf(actions).map(toCompletion)
  return (context) => {
    const before = context.matchBefore(opening)
    if (!before || isVerbatim(context.state, context.pos)) return null
    const from = before.from + before.text.indexOf('/')
    return { from, options, validFor: /^\/[\p{L}\d ]{0,30}$/u }
  }
}

// The slash belongs to what is matched, so it is part of each label; it is not shown.
const toCompletion = ({ label, detail, words = '', run }: Item, index: number): Completion => ({
  label: `/${label} ${words}`.trim(),
  displayLabel: label,
  detail,
  // In the order of the list, where nothing is typed yet.
  boost: -index,
  apply: (view, _, from, to) => run(view, { from, to }),
})

const itemsOf = ({ attach, ask, template, now }: SlashActions): readonly Item[] => [
  { label: 'Heading 1', detail: '#', run: prefix('# ') },
  { label: 'Heading 2', detail: '##', run: prefix('## ') },
  { label: 'Heading 3', detail: '###', run: prefix('### ') },
  { label: 'Task', detail: '- [ ]', words: 'todo checkbox', run: prefix('- [ ] ') },
  { label: 'List', detail: '-', words: 'bullet', run: prefix('- ') },
  { label: 'Numbered list', detail: '1.', run: prefix('1. ') },
  { label: 'Quotation', detail: '>', words: 'quote', run: prefix('> ') },
  { label: 'Callout', detail: '> [!note]', words: 'note warning tip', run: block('> [!note] ', '\n> ') },
  {
    label: 'Table',
    detail: '| |',
    run: block('| ', ' |  |\n| --- | --- |\n|  |  |'),
  },
  { label: 'Code block', detail: '```', run: block('```', '\n\n```') },
  { label: 'Divider', detail: '---', words: 'rule line', run: block('---\n\n', '') },
  { label: 'Image or file', detail: 'attach', words: 'picture upload', run: cleared(attach) },
  { label: 'Link to page', detail: '[[ ]]', words: 'wikilink', run: bracketed('[[') },
  { label: 'Embed page', detail: '![[ ]]', words: 'transclude', run: bracketed('![[') },
  {
    label: 'Date',
    detail: 'today',
    run: (view, span) => insert(view, span, [localDay(now()), '']),
  },
  { label: 'Template', detail: 'insert', words: 'snippet', run: cleared(template) },
  { label: 'Ask the companion', detail: 'about this', words: 'ai chat', run: cleared(ask) },
]

function prefix(mark: string) {
  return (view: EditorView, span: Span) => prefixLine(view, mark, span)
}

/** A block of its own; the caret is between the two parts. */
function block(before: string, behind: string) {
  return (view: EditorView, span: Span) => {
    const line = view.state.doc.lineAt(span.from)
    const isFirst = view.state.sliceDoc(line.from, span.from).trim() === ''
    const rest = view.state.sliceDoc(span.to, line.to).trim() === ''
    insert(view, span, [`${isFirst ? '' : '\n\n'}${before}`, `${behind}${rest ? '' : '\n\n'}`])
  }
}

function bracketed(open: string) {
  return (view: EditorView, span: Span) => {
    insert(view, span, [open, ']]'])
    startCompletion(view)
  }
}

function cleared(run: (view: EditorView) => void) {
  return (view: EditorView, span: Span) => {
    insert(view, span, ['', ''])
    run(view)
  }
}

function insert(view: EditorView, { from, to }: Span, [before, behind]: readonly [string, string]): void {
  view.dispatch({
    changes: { from, to, insert: before + behind },
    selection: { anchor: from + before.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
