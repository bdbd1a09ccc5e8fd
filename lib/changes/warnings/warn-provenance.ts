import type { CardField } from '../../contract/changes/card.ts'
import type { CardWarning } from '../../contract/changes/card-warning.ts'
import type { Provenance } from '../../contract/changes/provenance.ts'
import type { QuoteVerdict } from '../../contract/changes/quote-check.ts'
import { quoteShownSingly as quoted } from '../../text/quote-name.ts'
import { amount } from './warning-text.ts'

/** Text from outside that the agent had been given: it may have steered what the draft says. */
export function warnProvenance({ sources }: Provenance): CardWarning[] {
  const untrusted = sources.filter((source) => source.untrusted)
  if (untrusted.length === 0) return []
  const [first] = untrusted
  const rest = untrusted.length > 1 ? ` and ${amount(untrusted.length - 1, 'other text')}` : ''
  const message = `It was drafted after reading ${quoted(first!.title)} (${first!.origin ?? 'of unknown origin'})${rest} from outside, which may have steered it.`
  return [{ code: 'untrusted_sources', message, field: null, hunk: null }]
}

const faithful: ReadonlySet<QuoteVerdict> = new Set(['verbatim', 'shortened', 'with_insertions', 'unchecked'])

/** Quotations that are not found in the source they name. */
export function warnQuotes({ name, text, quotes: own = [] }: CardField): CardWarning[] {
  return [{ index: null, quotes: own }, ...(text?.hunks ?? [])].flatMap(({ index, quotes }) =>
    quotes
      .filter(({ verdict }) => !faithful.has(verdict))
      .map(({ message }) => ({ code: 'quote_unfaithful' as const, message, field: name, hunk: index })),
  )
}
