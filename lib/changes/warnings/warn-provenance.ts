import type { CardField, CardWarning } from '../../contract/changes/card.ts'
import type { Provenance, ProvenanceSource, QuoteVerdict } from '../../contract/changes/provenance.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'
import { amount } from './warning-text.ts'

/**
 * Text from outside that gave orders in the turn that made the draft, and text of which words are in the draft. What was
 * merely in view is listed among the sources, and no more.
 */
export function warnProvenance({ sources }: Provenance): CardWarning[] {
  const outside = sources.filter(({ untrusted }) => untrusted)
  const ordering = outside.filter(({ orders, in_turn }) => orders && in_turn)
  const used = outside.filter(({ used }) => used ?? true)
  return [
    ...warning('outside_orders', ordering, (named) => [
      `Read before this was drafted, and tells its reader what to do: ${named}. Check that it is what you asked for.`,
    ]),
    ...warning(
      'untrusted_sources',
      used.filter((source) => !ordering.includes(source)),
      (named) => [`Based partly on outside content: ${named}.`],
    ),
  ]
}

function warning(
  code: CardWarning['code'],
  [first, ...rest]: readonly ProvenanceSource[],
  say: (named: string) => string[],
): CardWarning[] {
  if (!first) return []
  const more = rest.length > 0 ? ` and ${amount(rest.length, 'other text')}` : ''
  const named = `${quoted(first.title)} (${first.origin ?? 'of unknown origin'})${more}`
  return say(named).map((message) => ({ code, message, field: null, hunk: null }))
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
