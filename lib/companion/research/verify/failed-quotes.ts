import { findQuotes, shownQuote } from '../../../changes/grounding/find-quotes.ts'
import { createQuoteSource, judgeQuote, type QuoteSource } from '../../../changes/grounding/judge-quote.ts'
import type { LedgerIndex } from './ledger-index.ts'
import type { Context } from './match.ts'

/** The quotations of a claim that none of the passages has word for word, as reasons. */
export function failedQuotes(claim: string, passages: readonly number[], { index }: Context): string[] {
  const quotes = findQuotes(claim).filter(({ text }) => !isTitle(text))
  if (quotes.length === 0) return []
  const sources = sourcesOf(passages, index)
  return quotes.flatMap(({ text }) => {
    const { verdict, nearest } = judgeQuote(text, sources)
    if (verdict === 'verbatim' || verdict === 'shortened') return []
    return [
      `not quoted as written: ${shownQuote(text).slice(0, 200)}${nearest ? ` (the passage has: ${nearest.slice(0, 200)})` : ''}`,
    ]
  })
}

/** Whether one of the passages has the claim word for word. */
export const isVerbatim = (claim: string, passages: readonly number[], { index }: Context): boolean =>
  judgeQuote(claim, sourcesOf(passages, index)).verdict === 'verbatim'

const sourcesOf = (passages: readonly number[], index: LedgerIndex): QuoteSource[] =>
  passages.map((at) => {
    const { n, title, from, to } = index.passages[at]!
    const text = index.sentences
      .slice(from, to)
      .map((sentence) => sentence.text)
      .join(' ')
    return createQuoteSource({ entity_type: 'passage', entity_id: n, title }, text)
  })

/** The title of a book, a film or a case: a name, and judged as one. */
function isTitle(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 > words.length
}
