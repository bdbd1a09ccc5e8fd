import type { QuoteCheck } from '../../contract/changes/provenance.ts'
import type { CardHunk } from '../../contract/changes/text-change.ts'

/**
 * The hunks of a text, each with those of its checked quotations that touch a line it adds. The text is not read again:
 * where a quotation is was stored with its check. One without a place is at the first hunk.
 */
export function placeQuotes(hunks: CardHunk[], quotes: readonly QuoteCheck[]): CardHunk[] {
  if (quotes.length === 0) return hunks
  return hunks.map((hunk, index) => {
    const start = hunk.lines.after.start - 1
    const end = start + hunk.lines.after.count
    const touching = quotes.filter(({ lines }) =>
      lines ? lines.from < end && start < lines.to : index === 0,
    )
    return { ...hunk, quotes: touching.map(({ lines, ...quote }) => quote) }
  })
}
