import type { CardHunk, QuoteCheck } from '../../contract/card.ts'

/** The hunks, each with those quotations that stand in what it adds. */
export function placeQuotes(hunks: CardHunk[], quotes: readonly QuoteCheck[]): CardHunk[] {
  if (quotes.length === 0) return hunks
  return hunks.map((hunk) => {
    const added = squeeze(hunk.parts.map(({ kind, text }) => (kind === 'removed' ? '' : text)).join(''))
    return { ...hunk, quotes: quotes.filter(({ quote }) => added.includes(squeeze(quote))) }
  })
}

// A quotation over several lines of a blockquote has its marks between them.
const squeeze = (text: string) => text.replace(/[\s>]+/gu, '')
