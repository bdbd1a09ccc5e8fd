import type { CardHunk, QuoteCheck } from '../../contract/card.ts'
import { findQuotes, shownQuote } from './find-quotes.ts'

/** The hunks of a text, each with those of its checked quotations that touch a line it adds. */
export function placeQuotes(hunks: CardHunk[], quotes: readonly QuoteCheck[], after: string): CardHunk[] {
  if (quotes.length === 0) return hunks
  const checks = new Map(quotes.map((check) => [keyOf(check.quote, check.attributed_to), check]))
  const placed = findQuotes(after).flatMap(({ text, attributed_to, from, to }) => {
    const check = checks.get(keyOf(shownQuote(text), attributed_to))
    return check ? [{ check, from, to }] : []
  })
  return hunks.map((hunk) => {
    const start = hunk.lines.after.start - 1
    const end = start + hunk.lines.after.count
    const touching = placed.filter(({ from, to }) => from < end && start < to).map(({ check }) => check)
    return { ...hunk, quotes: [...new Set(touching)] }
  })
}

const keyOf = (quote: string, attributedTo: string | null) => `${attributedTo ?? ''}\n${quote}`
