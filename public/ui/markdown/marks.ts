// `==highlights==`, ids of blocks, and `%%comments%%` within a line and on lines of their own.

import type { Token, Tokens } from 'marked'
import { escapeAll, lineOfParagraph } from './syntax.ts'

type Lexing = { lexer: { inlineTokens(text: string): Token[] } }
type Parsing = { parser: { parseInline(tokens: Token[]): string } }

const comment = /^%%((?:[^%]|%(?!%)){0,10000})%%/
const commentBlock = /^ {0,3}%%((?:[^%]|%(?!%)){0,10000})%%/
const restOfLine = /[ \t]*(?:\n+|$)/y

/** A comment on lines of its own: what it says, and where it ends. */
export function commentAt(text: string): { raw: string; text: string } | null {
  const match = commentBlock.exec(text)
  if (!match) return null
  restOfLine.lastIndex = match[0].length
  const rest = restOfLine.exec(text)
  return rest && { raw: match[0] + rest[0], text: match[1]!.trim() }
}

/** The blocks that are not those of other Markdown: what a text is cut into has to know them. */
export const commentSyntax = [
  {
    name: 'comment-block',
    level: 'block' as const,
    start: lineOfParagraph(/ {0,3}%%/, (text) => commentAt(text) !== null),
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
