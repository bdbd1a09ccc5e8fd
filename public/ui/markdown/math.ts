// `$formulas$` within a line, and `$$formulas$$` within one or on lines of their own. What is rendered is their source;
// draw-math.ts draws it where a browser shows it.

import type { Tokens } from 'marked'
import { displayFormula, formulaAt } from '../../../lib/core/text/formulas.ts'
import { escapeAll, lineOfParagraph, withoutCites } from './syntax.ts'

const restOfLine = /[ \t]*(?:\n+|$)/y

/** A formula on lines of its own: what it says, and where it ends. */
function blockAt(text: string): { raw: string; text: string } | null {
  const found = displayFormula(text)
  if (!found) return null
  restOfLine.lastIndex = found.raw.length
  const rest = restOfLine.exec(text)
  return rest && { raw: found.raw + rest[0], text: found.text.trim() }
}

export const mathBlockSyntax = {
  name: 'math-block',
  level: 'block' as const,
  start: lineOfParagraph(/ {0,3}\$\$/, (text) => blockAt(text) !== null),
  tokenizer(source: string): Tokens.Generic | undefined {
    const match = blockAt(source)
    return match ? { type: 'math-block', ...match } : undefined
  },
  renderer: ({ text }: Tokens.Generic) => `<p>${mathHtml(text, true)}</p>\n`,
}

export const mathSyntax = {
  name: 'math',
  level: 'inline' as const,
  start: (source: string) => source.indexOf('$'),
  tokenizer(source: string): Tokens.Generic | undefined {
    const match = formulaAt(source)
    return match ? { type: 'math', ...match } : undefined
  },
  renderer: ({ text, isDisplay }: Tokens.Generic) => mathHtml(text, isDisplay),
}

function mathHtml(text: string, isDisplay: boolean): string {
  const marks = isDisplay ? '$$' : '$'
  const look = isDisplay ? 'math math-display' : 'math'
  return `<code class="${look}">${marks}${escapeAll(withoutCites(text))}${marks}</code>`
}
