// Footnotes: `[^name]` in the text, and `[^name]: What it says.` on a line of its own. All that is defined is listed
// below the text, also what nothing refers to: a text holds nothing that its reader does not see.

import { Lexer, Marked, type Token, type Tokens } from 'marked'
import { codeSpans } from '../../../lib/core/text/links/scan-leaf.ts'
import { commentSyntax } from './marks.ts'
import { mathBlockSyntax } from './math.ts'
import { escapeAll, lineOfParagraph } from './syntax.ts'

type Definition = { raw: string; name: string; tokens: Token[] }

export type Footnotes = {
  /** The mark in the text. */
  reference(name: string): string
  /** The mark of one that stands in the text itself. */
  note(token: Tokens.Generic): string
  /** The list below the text; `parse` renders the tokens of a footnote. Called last, and once. */
  list(parse: (tokens: Token[]) => string): string
}

const opening = /^ {0,3}\[\^([^\s[\]]{1,100})\]:[ \t]*/
const otherBlock =
  /^ {0,3}(?:#{1,6}\s|>|%%|\$\$|```|~~~|[-*+]\s|\d{1,9}[.)]\s|(?:[-*_=][ \t]{0,9}){3,}$|!\[\[[^[\]\n]*\]\][ \t]*$)/
/** A back link for each of its marks, up to these. */
const maxBackLinks = 10

/** What a footnote holds: any block but another footnote. */
const { defaults: content } = new Marked({ gfm: true, extensions: [...commentSyntax, mathBlockSyntax] })

export const definitionSyntax = {
  name: 'footnote-definition',
  level: 'block' as const,
  childTokens: ['tokens'],
  start: lineOfParagraph(/ {0,3}\[\^[^\s[\]]{1,100}\]:/),
  tokenizer(this: unknown, source: string): Tokens.Generic | undefined {
    const match = opening.exec(source)
    if (!match) return undefined
    const raw = source.slice(0, endOf(source))
    const text = raw.slice(match[0].length).replace(/\n(?: {1,4}|\t)/g, '\n')
    const { lexer } = this as { lexer: Lexer }
    const inner = new Lexer(content)
    // What is within its lines is read with that of the whole text.
    inner.inlineQueue = lexer.inlineQueue
    inner.tokens.links = lexer.tokens.links
    return { type: 'footnote-definition', raw, name: match[1], tokens: inner.blockTokens(text, []) }
  },
  renderer: () => '',
}

export const footnoteSyntax = {
  name: 'footnote',
  level: 'inline' as const,
  start: (source: string) => source.indexOf('[^'),
  tokenizer(source: string): Tokens.Generic | undefined {
    const match = /^\[\^([^\s[\]]{1,100})\]/.exec(source)
    return match ? { type: 'footnote', raw: match[0], name: match[1] } : undefined
  },
}

/** `^[What it says.]` within a line: a footnote without a name. */
export const inlineNoteSyntax = {
  name: 'inline-note',
  level: 'inline' as const,
  start: (source: string) => source.indexOf('^['),
  tokenizer(this: unknown, source: string): Tokens.Generic | undefined {
    const end = source.startsWith('^[') ? endOfNote(source) : -1
    if (end < 3) return undefined
    const { lexer } = this as { lexer: Lexer }
    const text = source.slice(2, end)
    return { type: 'inline-note', raw: source.slice(0, end + 1), text, tokens: lexer.inlineTokens(text, []) }
  },
}

const maxInlineNote = 2000

/** The place of the bracket that closes an inline note, outside of code; -1: there is none. */
function endOfNote(source: string): number {
  const text = source.slice(0, maxInlineNote)
  const spans = text.includes('`') ? codeSpans(text) : new Map<number, number>()
  let depth = 0
  for (let at = 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '`') at = endOfCode(text, at, spans) - 1
    else if (sign === '[') depth++
    else if (sign === ']' && --depth === 0) return at
  }
  return -1
}

/** Behind a code span, or behind backticks that open none. */
function endOfCode(text: string, at: number, spans: ReadonlyMap<number, number>): number {
  let end = at
  while (text[end] === '`') end++
  return spans.get(at) ?? end
}

/** Where a definition ends: its paragraph, and what follows it indented. */
function endOf(source: string): number {
  let end = 0
  let isBlank = false
  for (let at = 0; at < source.length; ) {
    const next = source.indexOf('\n', at) + 1 || source.length
    const line = source.slice(at, Math.min(next, at + 200)).trimEnd()
    const isOther = isBlank || opening.test(line) || otherBlock.test(line)
    if (line === '') isBlank = true
    else if (at > 0 && isOther && !/^(?: {2}|\t)/.test(line)) break
    else {
      isBlank = false
      end = next
    }
    at = next
  }
  return end
}

/** Those of a text that was read. */
export function createFootnotes(tokens: readonly Token[]): Footnotes {
  const definitions = definitionsIn(tokens)
  const key = keyOf(definitions.length > 0 ? definitions : tokens)
  const byName = new Map(definitions.toReversed().map((each) => [each.name.toLowerCase(), each]))
  const marks = new Map<Definition, { n: number; count: number }>()
  const order: Definition[] = []

  return {
    reference(name) {
      const definition = byName.get(name.toLowerCase())
      return definition ? markOf(definition) : escapeAll(`[^${name}]`)
    },
    note({ raw, text, tokens = [] }) {
      const paragraph = { type: 'paragraph', raw, text: String(text), tokens } as Token
      return markOf({ raw, name: '', tokens: [paragraph] })
    },
    list(parse) {
      const texts = new Map<Definition, string>()
      // A footnote may refer to others, which get their numbers then.
      for (let [n, m] = [0, 0]; n < order.length || m < definitions.length; ) {
        const next = n < order.length ? order[n++]! : definitions[m++]!
        if (!texts.has(next)) texts.set(next, parse(next.tokens))
      }
      if (texts.size === 0) return ''
      const referred = order.map((each, index) => item(texts.get(each)!, index + 1, marks.get(each)!.count))
      const others = definitions
        .filter((each) => !marks.has(each))
        .map((each) => `<li>${texts.get(each)}</li>`)
      return `<ol class="footnotes" aria-label="Footnotes">${[...referred, ...others].join('')}</ol>`
    },
  }

  function markOf(definition: Definition): string {
    const mark = marks.get(definition)
    const n = mark?.n ?? order.push(definition)
    const count = (mark?.count ?? 0) + 1
    marks.set(definition, { n, count })
    // The number is drawn by the style sheet: words of the text are all that is to be searched and copied.
    return `<sup class="footnote"><a id="${markId(n, count)}" href="#fn-${key}-${n}" aria-label="Footnote ${n}" data-n="${n}"></a></sup>`
  }

  function item(html: string, n: number, count: number): string {
    const back = Array.from(
      { length: Math.min(count, maxBackLinks) },
      (_, index) =>
        ` <a href="#${markId(n, index + 1)}" aria-label="Back to the text of footnote ${n}" data-back></a>`,
    ).join('')
    const end = html.trimEnd()
    const inside = end.endsWith('</p>') ? `${end.slice(0, -4)}${back}</p>` : end + back
    return `<li id="fn-${key}-${n}">${inside}</li>`
  }

  function markId(n: number, count: number): string {
    return `fnref-${key}-${n}${count > 1 ? `-${count}` : ''}`
  }
}

function definitionsIn(tokens: readonly Token[]): Definition[] {
  return tokens.flatMap((token): Definition[] => {
    if (token.type === 'footnote-definition') return [token as Definition & Token]
    if (token.type === 'list') return definitionsIn((token as Tokens.List).items)
    const isBox = token.type === 'blockquote' || token.type === 'list_item'
    return isBox && token.tokens ? definitionsIn(token.tokens) : []
  })
}

/** Differs from that of other footnotes in the same document. */
function keyOf(parts: readonly { raw: string }[]): string {
  let hash = 0
  for (const { raw } of parts) {
    for (let at = 0; at < raw.length; at += 1) hash = (hash * 31 + raw.charCodeAt(at)) | 0
  }
  return (hash >>> 0).toString(36)
}
