// The blocks of a Markdown text, by a CommonMark parser: which parts are code or HTML, and where the running text of
// each paragraph, heading and cell stands. Front matter is not part of the text.

import { type MarkdownConfig, parser, Table } from '@lezer/markdown'

/** Running text as the parser gives it: the marks of quotations are blank, so that every character is in its place. */
type Leaf = { start: number; text: string }

export type Range = { start: number; end: number }

export type Blocks = {
  code: Range[]
  /** HTML whose text is code or a comment. */
  verbatim: Range[]
  /** Other blocks of HTML, which hold links in attributes alone. */
  html: Range[]
  leaves: Leaf[]
}

const footnote = /^\[\^[^\s[\]]{1,100}\]:[ \t]*/

/** Blocks in which a footnote may stand. */
const deepestFootnote = 20

/** `[^name]: What it says.`, and what follows it indented, as pages show it: no code, unless it is indented further. */
const Footnotes: MarkdownConfig = {
  defineNodes: [
    {
      name: 'Footnote',
      block: true,
      composite(_, line) {
        const indent = line.indent - line.baseIndent
        if (line.next >= 0 && indent < 2) return false
        if (line.next >= 0) line.moveBaseColumn(line.baseIndent + Math.min(indent, 4))
        return true
      },
    },
  ],
  parseBlock: [
    {
      name: 'Footnote',
      before: 'IndentedCode',
      parse(context, line) {
        const [mark] = footnote.exec(line.text.slice(line.pos, line.pos + 120)) ?? []
        const isNone = mark === undefined || line.indent - line.baseIndent > 3
        if (isNone || context.depth > deepestFootnote) return false
        context.startComposite('Footnote', line.pos)
        line.moveBase(line.pos + mark.length)
        return null
      },
      endLeaf: (_, line) => footnote.test(line.text.slice(line.pos, line.pos + 120)),
    },
  ],
}

// Definitions are read with the rest of a paragraph (scan-leaf.ts): the parser's own reader looks at a title that never
// ends again with every line.
const blocks = parser.configure([Table, Footnotes, { remove: ['LinkReference'] }])

/**
 * A line a hundred quotes or lists deep. Such a text is shown as it is and has no links: what parsers take for it grows
 * with its depth.
 */
const tooDeep = /^(?:(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}|[ \t]{400,}[-*+>\d])/m

const placeOf: Record<string, 'code' | 'verbatim'> = {
  FencedCode: 'code',
  CodeBlock: 'code',
  CommentBlock: 'verbatim',
  ProcessingInstructionBlock: 'verbatim',
}

/** Time and memory in proportion to the text. A text that is too deep is one block of HTML. */
export function readBlocks(text: string): Blocks {
  if (tooDeep.test(text))
    return { code: [], verbatim: [], html: [{ start: 0, end: text.length }], leaves: [] }
  const found: Blocks = { code: [], verbatim: [], html: [], leaves: [] }
  const reader: typeof blocks = Object.create(blocks)
  reader.parseInline = (leaf, start) => {
    found.leaves.push({ start, text: leaf })
    return []
  }
  reader.parse(text).iterate({
    enter({ name, from: start, to: end }) {
      const place = placeOf[name]
      if (place !== undefined) found[place].push({ start, end })
      if (name !== 'HTMLBlock') return place === undefined
      const isCode = /^<(?:pre|script|style|textarea)(?=[\s>]|$)/i.test(
        text.slice(start, start + 12).trimStart(),
      )
      found[isCode ? 'verbatim' : 'html'].push({ start, end })
      return false
    },
  })
  return found
}
