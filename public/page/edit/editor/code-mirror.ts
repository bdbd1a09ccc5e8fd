// The editor: CodeMirror with Markdown, in a shadow root of its own, because only there it takes its styles
// from style sheets made by script; in the document it would write a <style> element, which the page's policy forbids.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdown, markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorSelection, EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import type { Link } from '../../../../lib/contract/entities.ts'
import { el } from '../../../ui/dom.ts'
import { type Attaching, attachFiles } from './attach-files.ts'
import { completion, type LinkedPages, type LoadTags } from './completion.ts'
import { formatKeys, selectionToolbar } from './format.ts'
import { type Follow, followLinks, linkTargets, setLinks, targetsOf } from './link-targets.ts'
import { livePreview } from './live-preview.ts'
import { markdownMarks } from './markdown-marks.ts'
import type { SlashActions } from './slash-menu.ts'
import { smartPaste } from './smart-paste.ts'
import { tableKeys } from './table-keys.ts'
import { smallestChange, type TextSource } from './text-source.ts'
import { theme } from './theme.ts'

export type EditorOptions = {
  text: string
  selection: { from: number; to: number }
  label: string
  /** The pages that a link may name. */
  pages: LinkedPages
  tags: LoadTags
  follow: Follow
  actions: Omit<SlashActions, 'attach'>
  attaching: Attaching
  /** Where the links of the text lead. */
  links: readonly Link[]
  /** The Markdown as it is, without the live preview. */
  source: boolean
  onChange: () => void
  signal: AbortSignal
}

export type Editor = TextSource & {
  setLinks(links: readonly Link[]): void
  /** Shows the Markdown as it is, or the live preview. */
  showSource(on: boolean): void
}

/** Bound to commands by default, and keys of the view that the editor is in. */
const keysOfTheView = ['Mod-/', 'Mod-Enter']

export function createEditor({
  text,
  selection,
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
  const element = el('div', { class: 'editor-host' })
  const root = element.attachShadow({ mode: 'open' })
  const preview = new Compartment()
  const textOf = createTextOf()
  const view = new EditorView({
    root,
    parent: root as unknown as HTMLElement,
    state: EditorState.create({
      doc: text,
      selection: EditorSelection.range(clamp(selection.from, text), clamp(selection.to, text)),
      extensions: [
        history(),
        searchPanel,
        markdown({ base: markdownLanguage, addKeymap: false, completeHTMLTags: false }),
        markdownMarks,
        linkTargets.init(() => targetsOf(links)),
        preview.of(source ? [] : livePreview),
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
      ],
    }),
  })
  signal.addEventListener('abort', () => view.destroy())

  return {
    element,
    scroller: view.scrollDOM,
    read: () => textOf(view.state.doc),
    write: (next) => view.dispatch({ changes: smallestChange(textOf(view.state.doc), next) }),
    selection: () => view.state.selection.main,
    hasFocus: () => view.hasFocus,
    focus: () => view.focus(),
    setLinks: (links) => view.dispatch({ effects: setLinks.of(links) }),
    showSource: (on) => view.dispatch({ effects: preview.reconfigure(on ? [] : livePreview) }),
  }
}

/** The text of a document, put together once: many ask for it at each key. */
function createTextOf(): (doc: Text) => string {
  let last: { doc: Text; text: string } | null = null
  return (doc) => {
    if (last?.doc !== doc) last = { doc, text: doc.toString() }
    return last.text
  }
}

const clamp = (place: number, text: string) => Math.min(place, text.length)

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
