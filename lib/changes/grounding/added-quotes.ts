import { computeHunks } from '../../core/text/diff/hunks.ts'
import { quoteShownSingly } from '../../core/text/quote-name.ts'
import { quoteWords } from '../../core/text/words/quote-words.ts'
import { type FoundQuote, findQuotes } from './find-quotes.ts'

/** A quotation, and what was named as its source before the draft; absent where it was no quotation before. */
export type AddedQuote = FoundQuote & { creditBefore?: string | null }

type AddedQuotes = { quotes: AddedQuote[]; more: number }

/** As `addedQuotes`, of one value. */
export const readAddedQuotes = ({ before, after, max }: { before: string; after: string; max: number }) =>
  addedQuotes(before, after, max)

/**
 * Those that touch an added line and were not quoted from the same source before; at most as many as asked for, the
 * rest counted.
 */
export function addedQuotes(before: string, after: string, max: number): AddedQuotes {
  const found = findQuotes(after)
  if (found.length === 0) return { quotes: [], more: 0 }
  const old = creditsByWords(findQuotes(before))
  const added = computeHunks(before, after).map(({ after: { start, lines } }) => ({
    start,
    end: start + lines.length,
  }))
  const quotes: AddedQuote[] = []
  let more = 0
  let at = 0
  for (const quote of found.toSorted((a, b) => a.from - b.from)) {
    while (added[at] && added[at]!.end <= quote.from) at++
    if (!added[at] || added[at]!.start >= quote.to) continue
    const credits = old.get(wordsKey(quote))
    if (credits?.has(quote.attributed_to)) continue
    const [creditBefore] = credits ?? []
    if (quotes.length >= max) more++
    else quotes.push(creditBefore === undefined ? quote : { ...quote, creditBefore })
  }
  return { quotes, more }
}

function creditsByWords(quotes: readonly FoundQuote[]): Map<string, Set<string | null>> {
  const credits = new Map<string, Set<string | null>>()
  for (const quote of quotes) {
    const key = wordsKey(quote)
    const known = credits.get(key)
    if (known) known.add(quote.attributed_to)
    else credits.set(key, new Set([quote.attributed_to]))
  }
  return credits
}

const wordsKey = ({ text }: FoundQuote): string => quoteWords(text).join(' ')

/** The sentence for a person where only the named source is new; empty where the quotation is. */
export function creditChange({ creditBefore, attributed_to }: AddedQuote): string {
  if (creditBefore === undefined) return ''
  const [from, to] = [creditBefore, attributed_to].map((name) =>
    name === null ? 'nothing' : quoteShownSingly(name),
  )
  return ` Its credit was changed from ${from} to ${to}.`
}
