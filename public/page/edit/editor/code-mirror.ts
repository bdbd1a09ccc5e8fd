// The editor: CodeMirror with Markdown, in the shadow of the text that it writes. Only in a shadow root it takes its styles
// from style sheets made by script; in the document it would write a <style> element, which the page's policy forbids.

import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdown, markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { forceParsing } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, type Text, Transaction } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'
import { type MarkdownContext, renderMarkdown } from '../../../ui/markdown/markdown.ts'
import { taskLines } from '../../data/task-lines.ts'
import { type Attaching, attachFiles } from './attach-files.ts'
import { blockKeys } from './blocks/block-keys.ts'
import { type Block, blocksField, inPlace, sourceOf } from './blocks/blocks.ts'
import { drawLinksAgain, drawnText, nodeToBlock, showAll } from './blocks/drawn-text.ts'
import { createTableCells, type TableCells } from './blocks/table-cells.ts'
import { codeColors } from './code-colors.ts'
import { completion, type LinkedPages, type LoadTags } from './completion.ts'
import { formatKeys, selectionToolbar } from './format.ts'
import {
  type Follow,
  followLinks,
  linkTargets,
  setLinks,
  targetsOf,
  type WrittenLinks,
} from './link-targets.ts'
import { livePreview } from './live-preview.ts'
import { markdownMarks } from './markdown-marks.ts'
import type { SlashActions } from './slash-menu.ts'
import { smartPaste } from './smart-paste.ts'
import { tableKeys } from './table-keys.ts'
import { smallestChange, type TextSource } from './text-source.ts'
import { theme } from './theme.ts'

export type EditorOptions = {
  /** Shows the text; the editor stands in its place. */
  prose: HTMLElement
  text: string
  /** Where what is shown of it begins. */
  start: (text: string) => number
  /** How its blocks are rendered. */
  context: () => MarkdownContext
  /** What `leave` returned of the same text, so that its changes can be undone. */
  earlier?: unknown
  label: string
  /** The pages that a link may name. */
  pages: LinkedPages
  tags: LoadTags
  follow: Follow
  actions: Omit<SlashActions, 'attach'>
  attaching: Attaching
  /** Where the links of the text lead. */
  links: WrittenLinks
  /** The Markdown as it is, without the live preview. */
  source: boolean
  onChange: () => void
  signal: AbortSignal
}

export type Editor = TextSource & {
  /** Puts the caret under the pointer, in what a child of the text shows. */
  pick(node: Element, point: { x: number; y: number }): void
  /** Puts the caret at the beginning of a child of the text. */
  pickStart(node: Element): void
  /** Puts the caret at the end. */
  pickEnd(): void
  insert(text: string): void
  /** Ticks a box that is drawn: the one with this number in its block. */
  tick(node: Element, box: number): void
  /** The text is as it was before the editor, with what was written. Returns what `earlier` takes. */
  leave(): unknown
  setLinks(links: WrittenLinks): void
  /** Shows the Markdown as it is, or the live preview. `text`: what is written from now on, which is not undone. */
  showSource(on: boolean, text?: string): void
}

/** Bound to commands by default, and keys of the view that the editor is in: Escape leaves also what is selected. */
const keysOfTheView = ['Mod-/', 'Mod-Enter', 'Escape']

export function createEditor({
  prose,
  text,
  start,
  context,
  earlier,
  label,
  pages,
  tags,
  follow,
  actions,
  attaching,
  links,
  source,
  onChange,
  signal,
}: EditorOptions): Editor {
  const root = prose.shadowRoot ?? prose.attachShadow({ mode: 'open' })
  // What is shown until the editor is there, and measured.
  root.replaceChildren(el('slot'))
  const preview = new Compartment()
  const textOf = createTextOf()
  const drawn = (shown: string) => [
    livePreview,
    drawnText({ prose, text: shown, start: start(shown), context }),
    blockKeys,
  ]
  const extensions = [
    history(),
    searchPanel,
    markdown({ base: markdownLanguage, addKeymap: false, completeHTMLTags: false }),
    markdownMarks,
    codeColors,
    linkTargets.init(() => targetsOf(links)),
    preview.of(source ? [] : drawn(text)),
    completion({
      pages,
      tags,
      actions: { ...actions, attach: (one) => chooseFiles(one, attaching, signal) },
    }),
    selectionToolbar,
    followLinks(follow),
    smartPaste(attaching, signal),
    keymap.of([
      ...formatKeys,
      ...markdownKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key = '' }) => !keysOfTheView.includes(key)),
      ...tableKeys,
      // What is typed after a Tab that left would be shortcuts of the page. Escape leaves.
      indentWithTab,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': 'Tab indents. After Control M it moves on, and Escape ends editing.',
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
    }),
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
    placeholder('Write in Markdown. Type / for a menu, [[ to link to a page.'),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange()
    }),
    theme,
  ]
  const view = new EditorView({ root, state: stateOf(text, earlier, extensions) })
  const cells = createTableCells(view)
  prose.classList.add('editor-host')
  root.replaceChildren(view.dom)
  signal.addEventListener('abort', () => view.destroy())

  return {
    element: prose,
    read: () => textOf(view.state.doc),
    write: (next) => view.dispatch({ changes: smallestChange(textOf(view.state.doc), next) }),
    hasFocus: () => view.hasFocus,
    focus: () => view.focus(),
    setLinks(links) {
      view.dispatch({ effects: setLinks.of(links) })
      if (view.state.field(blocksField, false)) drawLinksAgain(view, prose, context())
    },
    ...carets(view, cells),
    showSource(on, next = textOf(view.state.doc)) {
      if (!on) render(next)
      view.dispatch({
        changes: smallestChange(textOf(view.state.doc), next),
        effects: preview.reconfigure(on ? [] : drawn(next)),
        annotations: Transaction.addToHistory.of(false),
      })
    },
    leave() {
      if (view.state.field(blocksField, false)) showAll(view, prose)
      else render(textOf(view.state.doc))
      const json = view.state.toJSON({ history: historyField })
      root.replaceChildren(el('slot'))
      prose.classList.remove('editor-host')
      return json
    },
  }

  function render(now: string): void {
    prose.replaceChildren(...renderMarkdown(now.slice(start(now)), context()).childNodes)
  }
}

function stateOf(text: string, earlier: unknown, extensions: Extension): EditorState {
  const json = Object(earlier)
  if (json.doc === text) {
    try {
      return EditorState.fromJSON(
        { ...json, selection: cursorJson },
        { extensions },
        { history: historyField },
      )
    } catch {
      // What is not understood of it is not undone.
    }
  }
  return EditorState.create({ doc: text, extensions })
}

const maxParsingMs = 200
const cursorJson = { ranges: [{ anchor: 0, head: 0 }], main: 0 }

function carets(
  view: EditorView,
  cells: TableCells,
): Pick<Editor, 'pick' | 'pickStart' | 'pickEnd' | 'insert' | 'tick'> {
  const go = (anchor: number, userEvent: string) => view.dispatch({ selection: { anchor }, userEvent })
  // What is open is drawn by its syntax, which has to be known at once: else it would move when it is.
  const open = ({ from, to }: Block, userEvent: string) => {
    go(from, userEvent)
    forceParsing(view, to, maxParsingMs)
  }
  return {
    pick(node, { x, y }) {
      const block = view.state.field(blocksField, false) ? nodeToBlock(view.state, node) : null
      const cell = deepElement(x, y)?.closest('td, th')
      if (block?.kind === 'table' && cell instanceof HTMLTableCellElement) return cells.open(cell, { x, y })
      if (block) open(block, 'select.pointer')
      view.focus()
      const place = view.posAtCoords({ x, y }, false)
      const [from, to] = block ? [block.from, block.to] : [0, view.state.doc.length]
      go(Math.min(Math.max(place, from), to), 'select.pointer')
    },
    pickStart(node) {
      const block = view.state.field(blocksField, false) ? nodeToBlock(view.state, node) : null
      if (block?.kind === 'table' && cells.openAt(block.from)) return
      if (block) open(block, 'select.pointer')
      view.focus()
    },
    pickEnd() {
      view.dispatch({ selection: { anchor: view.state.doc.length }, scrollIntoView: true })
      view.focus()
    },
    insert: (text) => view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.type' }),
    tick(node, box) {
      const block = nodeToBlock(view.state, node)
      const task = block && taskLines(sourceOf(view.state, block))[box]
      if (!block || !task) return
      const at = block.from + task.at
      const changes = { from: at, to: at + 1, insert: task.done ? ' ' : 'x' }
      view.dispatch({ changes, annotations: inPlace.of(true), userEvent: 'input' })
      block.drawn.source = sourceOf(view.state, block)
    },
  }
}

const deepElement = (x: number, y: number): Element | null => document.elementFromPoint(x, y)

/** The text of a document, put together once: many ask for it at each key. */
function createTextOf(): (doc: Text) => string {
  let last: { doc: Text; text: string } | null = null
  return (doc) => {
    if (last?.doc !== doc) last = { doc, text: doc.toString() }
    return last.text
  }
}

/**
 * Typing over a selection is done here: left to itself, the browser would wrap what it puts there in an inline style,
 * which the page's policy forbids and reports.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const isPlain = event.inputType === 'insertText' && event.data !== null && !event.isComposing
  if (!isPlain || view.state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

/** Asks for files, and attaches them at the caret. */
function chooseFiles(view: EditorView, attaching: Attaching, closed: AbortSignal): void {
  const input = el('input', { type: 'file', multiple: true })
  input.addEventListener('change', () => {
    const at = view.state.selection.main.head
    void attachFiles(view, [...(input.files ?? [])], { at, attaching, closed })
    view.focus()
  })
  input.click()
}

/** Find and replace, above the text. */
const searchPanel: Extension = [
  search({ top: true }),
  EditorState.phrases.of({
    next: 'Next',
    previous: 'Previous',
    all: 'Select all',
    'match case': 'Match case',
    regexp: 'Regular expression',
    'by word': 'Whole words',
    replace: 'Replace',
    'replace all': 'Replace all',
  }),
]
