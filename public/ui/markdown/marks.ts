// `==highlights==`, ids of blocks, and `%%comments%%` within a line and on lines of their own.

import type { Token, Tokens } from 'marked'
import { codeSpans } from '../../../lib/core/text/links/scan-leaf.ts'
import { escapeAll, lineOfParagraph } from './syntax.ts'

type Lexing = { lexer: { inlineTokens(text: string): Token[] } }
type Parsing = { parser: { parseInline(tokens: Token[]): string } }

const comment = /^%%((?:[^%]|%(?!%)){0,10000})%%/
const commentBlock = /^ {0,3}%%((?:[^%]|%(?!%)){0,10000})%%/
const restOfLine = /[ \t]*(?:\n+|$)/y
const blankLine = /\n[ \t]*\n/

/** A comment on lines of its own, or over blank lines: what it says, and where it ends. */
export function commentAt(text: string): { raw: string; text: string } | null {
  const match = commentBlock.exec(text)
  if (!match) return null
  restOfLine.lastIndex = match[0].length
  const rest = restOfLine.exec(text)?.[0] ?? (blankLine.test(match[0]) ? '' : null)
  return rest === null ? null : { raw: match[0] + rest, text: match[1]!.trim() }
}

/** In characters, of the paragraphs that comments are looked for in. */
const maxParagraph = 20_000

/** Where in the paragraph that a text begins with a comment starts that ends behind a blank line. */
function openComment(source: string): number | undefined {
  const end = source.slice(0, maxParagraph).search(blankLine)
  if (end < 0) return undefined
  const paragraph = source.slice(0, end)
  if (!paragraph.includes('%%')) return undefined
  const spans = paragraph.includes('`') ? codeSpans(paragraph) : new Map<number, number>()
  // marked leaves out the first character: it may be that of a comment, and backticks that nothing here opens may close a
  // span that begins there.
  let open = /^%(?!%)/.test(source) ? -1 : undefined
  const cut = /^`*/.exec(source)![0].length + 1
  for (const mark = /`+|%%/g; ; ) {
    const found = mark.exec(paragraph)
    if (!found) break
    if (found[0] === '%%') open = open === undefined ? found.index : undefined
    else if (spans.has(found.index)) mark.lastIndex = spans.get(found.index)!
    else if (open !== undefined && found[0].length === cut) return undefined
  }
  return open !== undefined && open >= 0 && commentAt(source.slice(open, open + maxParagraph))
    ? open
    : undefined
}

const commentLine = lineOfParagraph(/ {0,3}%%/, (text) => commentAt(text) !== null)

/** The blocks that are not those of other Markdown: what a text is cut into has to know them. */
export const commentSyntax = [
  {
    name: 'comment-block',
    level: 'block' as const,
    start(source: string) {
      const [own, open] = [commentLine(source), openComment(source)]
      return own === undefined || open === undefined ? (own ?? open) : Math.min(own, open)
    },
    tokenizer(source: string): Tokens.Generic | undefined {
      const match = commentAt(source)
      return match ? { type: 'comment-block', ...match } : undefined
    },
  },
]

export const inlineSyntax = [
  {
    // Obsidian's id at the end of a block, the target of `[[Page#^id]]`.
    name: 'block-id',
    level: 'inline' as const,
    start: (source: string) => /\s\^[\w-]+\s*$/.exec(source)?.index,
    tokenizer(source: string): Tokens.Generic | undefined {
      const match = /^\s*\^([\w-]{1,100})\s*$/.exec(source)
      return match ? { type: 'block-id', raw: match[0], id: match[1] } : undefined
    },
    renderer: ({ id }: Tokens.Generic) =>
      `<span class="block-id" data-block="${escapeAll(String(id))}"></span>`,
  },
  {
    // The id of a block, and whether it is folded, as Logseq has them on lines of their own below its text.
    name: 'block-line',
    level: 'inline' as const,
    start: (source: string) => /(?:^|\n)[ \t]*(?:id|collapsed)::[ \t]/.exec(source)?.index,
    tokenizer(source: string): Tokens.Generic | undefined {
      const match =
        /^\n?[ \t]*(?:id::[ \t]*([\da-f-]{36})|collapsed::[ \t]*(?:true|false))[ \t]*(?=\n|$)/i.exec(source)
      return match ? { type: 'block-line', raw: match[0], id: match[1]?.toLowerCase() ?? '' } : undefined
    },
    renderer: ({ id }: Tokens.Generic) =>
      id ? `<span class="block-id" data-block="${escapeAll(String(id))}"></span>` : '',
  },
  {
    name: 'highlight',
    level: 'inline' as const,
    start: (source: string) => source.indexOf('=='),
    tokenizer(this: unknown, source: string): Tokens.Generic | undefined {
      const match = /^==(?![\s=])((?:[^=]|=(?!=)){1,2000})(?<!\s)==(?![=\w])/.exec(source)
      if (!match) return undefined
      const tokens = (this as Lexing).lexer.inlineTokens(match[1]!)
      return { type: 'highlight', raw: match[0], tokens }
    },
    renderer(this: unknown, { tokens }: Tokens.Generic) {
      return `<mark>${(this as Parsing).parser.parseInline(tokens ?? [])}</mark>`
    },
  },
  {
    name: 'comment',
    level: 'inline' as const,
    start: (source: string) => source.indexOf('%%'),
    tokenizer(source: string): Tokens.Generic | undefined {
      const match = comment.exec(source)
      return match ? { type: 'comment', raw: match[0], text: match[1]!.trim() } : undefined
    },
  },
]
