import type { CardField, CardWarning, Provenance } from '../../contract/card.ts'
import { amount, quoted } from './warning-text.ts'

/** Text from outside that the agent had been given: it may have steered what the draft says. */
export function warnProvenance({ sources }: Provenance): CardWarning[] {
  const untrusted = sources.filter((source) => source.untrusted)
  if (untrusted.length === 0) return []
  const [first] = untrusted
  const rest = untrusted.length > 1 ? ` and ${amount(untrusted.length - 1, 'other text')}` : ''
  const message = `It was drafted after reading ${quoted(first!.title)} (${first!.origin ?? 'of unknown origin'})${rest} from outside, which may have steered it.`
  return [{ code: 'untrusted_sources', message, field: null, hunk: null }]
}

/** Quotations that do not stand where they are said to. */
export function warnQuotes({ name, text }: CardField): CardWarning[] {
  return (text?.hunks ?? []).flatMap(({ index, quotes }) =>
    quotes
      .filter(({ verdict }) => verdict !== 'verbatim' && verdict !== 'unchecked')
      .map(({ message }) => ({ code: 'quote_unfaithful' as const, message, field: name, hunk: index })),
  )
}
