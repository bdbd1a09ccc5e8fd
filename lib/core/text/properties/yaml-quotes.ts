// How the values in front matter are quoted.

import { isScalar, visit } from 'yaml'
import { parseYaml } from './read-properties.ts'

/** The value at a place, and how it is quoted. */
export type QuoteContext = { start: number; end: number; quotes: 'none' | 'single' | 'double' | 'lines' }

const quotesOf: Record<string, QuoteContext['quotes']> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  PLAIN: 'none',
  BLOCK_LITERAL: 'lines',
  BLOCK_FOLDED: 'lines',
}

/** `lines`: a block of them, in which every sign stands for itself. `null`: the YAML cannot be read. */
export function quoteContext(yaml: string, at: number): QuoteContext | null {
  const { document } = parseYaml(yaml)
  if (document === null) return null
  let found: QuoteContext | null = null
  visit(document, {
    Scalar(_, node) {
      const [start, end] = node.range ?? [0, 0]
      if (at < start || at >= end || !isScalar(node)) return undefined
      const quotes = quotesOf[node.type ?? '']
      if (quotes) found = { start, end, quotes }
      return visit.BREAK
    },
  })
  return widened(yaml, found)
}

/** A link that nobody has quoted is a list within a list to YAML: the value is all of it. */
function widened(yaml: string, found: QuoteContext | null): QuoteContext | null {
  if (found?.quotes !== 'none') return found
  const [before = ''] = /\[\[[^[\]\n]*$/.exec(yaml.slice(0, found.start)) ?? []
  const [after = ''] = /^[^[\]\n]*\]\]/.exec(yaml.slice(found.end)) ?? []
  if (before === '' || after === '') return found
  return { ...found, start: found.start - before.length, end: found.end + after.length }
}

/** A text as it stands within quotes. */
export function quoteInYaml(text: string, quotes: 'single' | 'double'): string {
  return quotes === 'single' ? text.replaceAll("'", "''") : text.replace(/["\\]/g, '\\$&')
}
