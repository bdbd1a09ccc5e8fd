import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, RangeSetBuilder, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

const classes: Record<string, string> = {
  StrongEmphasis: 'md-strong',
  Emphasis: 'md-emphasis',
  Strikethrough: 'md-struck',
  InlineCode: 'md-code',
  FencedCode: 'md-code',
  CodeBlock: 'md-code',
  Link: 'md-link',
  URL: 'md-address',
  HeaderMark: 'md-mark',
  EmphasisMark: 'md-mark',
  CodeMark: 'md-mark',
  LinkMark: 'md-mark',
  ListMark: 'md-mark',
  QuoteMark: 'md-mark',
}

const decorations = new Map(
  Object.entries(classes).map(([name, value]) => [name, Decoration.mark({ class: value })]),
)

const frontMatter = Decoration.mark({ class: 'md-front' })

const wikilink = Decoration.mark({ class: 'md-wikilink' })

/** Styles the Markdown source in the visible range. */
export const markdownMarks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = mark(view)
    }

    update(update: ViewUpdate) {
      const parsed = syntaxTree(update.startState) !== syntaxTree(update.state)
      if (update.docChanged || update.viewportChanged || parsed) this.decorations = mark(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function mark(view: EditorView): DecorationSet {
  const marks: { from: number; to: number; decoration: Decoration }[] = []
  const front = frontMatterEnd(view.state.doc)
  if (front > 0) marks.push({ from: 0, to: front, decoration: frontMatter })
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter(node) {
        const decoration = decorations.get(node.name)
        if (decoration && node.to > node.from && node.from >= front)
          marks.push({ from: node.from, to: node.to, decoration })
      },
    })
    for (const match of view.state.sliceDoc(from, to).matchAll(/!?\[\[[^[\]\n]+\]\]/g)) {
      const at = from + match.index
      marks.push({ from: at, to: at + match[0].length, decoration: wikilink })
    }
  }
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to, decoration } of marks.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    builder.add(from, to, decoration)
  }
  return builder.finish()
}

const maxLines = 200

/** Where the block of properties at the head ends; 0 when there is none. Markdown would read it as a heading. */
export function frontMatterEnd(doc: Text): number {
  if (doc.line(1).text.trimEnd() !== '---') return 0
  for (let number = 2; number <= Math.min(doc.lines, maxLines); number += 1) {
    const { text, to } = doc.line(number)
    if (text.trimEnd() === '---') return to
  }
  return 0
}

const verbatim = /^(?:FencedCode|CodeBlock|CodeText|InlineCode|HTMLBlock|CommentBlock)$/

/** Whether a place takes text as it is: code and properties. */
export function isVerbatim(state: EditorState, at: number): boolean {
  if (at < frontMatterEnd(state.doc)) return true
  for (let node = syntaxTree(state).resolveInner(at, -1); ; ) {
    if (verbatim.test(node.name)) return true
    if (!node.parent) return false
    node = node.parent
  }
}
