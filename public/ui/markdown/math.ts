// `$formulas$` within a line, and `$$formulas$$` within one or on lines of their own. What is rendered is their source;
// draw-math.ts draws it where a browser shows it.

import type { Tokens } from 'marked'
import { escapeAll, lineOfParagraph, withoutCites } from './syntax.ts'

// As Pandoc has it: no space within, and no digit behind, so that "$5 and $10" are prices; nor a letter, as in "$A/$B".
const inline = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,1000})(?<!\s)\$(?!\w)/
const display = /^ {0,3}\$\$(?!\$)((?:\\[^\n]|[^\\$\n]|\\?\n(?![ \t]*\n)|\$(?!\$)){1,4000})\$\$/
const restOfLine = /[ \t]*(?:\n+|$)/y

/** A number with words behind it, as in "$5 or 10$". */
const isPrice = (text: string): boolean => /^\d/.test(text) && /\s\p{L}{2,}/u.test(text)

/** A formula on lines of its own: what it says, and where it ends. */
function formulaAt(text: string): { raw: string; text: string } | null {
  const match = display.exec(text)
  if (!match) return null
  restOfLine.lastIndex = match[0].length
  const rest = restOfLine.exec(text)
  return rest && { raw: match[0] + rest[0], text: match[1]!.trim() }
}

export const mathBlockSyntax = {
  name: 'math-block',
  level: 'block' as const,
  start: lineOfParagraph(/ {0,3}\$\$/, (text) => formulaAt(text) !== null),
  tokenizer(source: string): Tokens.Generic | undefined {
    const match = formulaAt(source)
    return match ? { type: 'math-block', ...match } : undefined
  },
  renderer: ({ text }: Tokens.Generic) => `<p>${mathHtml(text, true)}</p>\n`,
}

export const mathSyntax = {
  name: 'math',
  level: 'inline' as const,
  start: (source: string) => source.indexOf('$'),
  tokenizer(source: string): Tokens.Generic | undefined {
    if (!source.startsWith('$')) return undefined
    const own = display.exec(source)
    const match = own ?? inline.exec(source)
    if (!match || (!own && isPrice(match[1]!))) return undefined
    return { type: 'math', raw: match[0], text: match[1], isDisplay: own !== null }
  },
  renderer: ({ text, isDisplay }: Tokens.Generic) => mathHtml(text, isDisplay),
}

function mathHtml(text: string, isDisplay: boolean): string {
  const marks = isDisplay ? '$$' : '$'
  const look = isDisplay ? 'math math-display' : 'math'
  return `<code class="${look}">${marks}${escapeAll(withoutCites(text))}${marks}</code>`
}
