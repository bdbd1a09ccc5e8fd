import type { QuoteVerdict } from '../../contract/changes/provenance.ts'
import { quoteShownSingly } from '../../core/text/quote-name.ts'

type Facts = { title: string; named: string; changed: readonly string[] }

/** The sentence for a person: `title` is the source, `named` what the text says it is, `changed` as of a judgement. */
export function messageOf(
  verdict: Exclude<QuoteVerdict, 'unchecked'>,
  { title, named, changed }: Facts,
): string {
  const source = quoteShownSingly(title)
  switch (verdict) {
    case 'verbatim':
      return `The quotation is in ${source}, word for word.`
    case 'shortened':
      return `The quotation is in ${source}, with words left out where it says so.`
    case 'with_insertions':
      return `The quotation is in ${source}, apart from the words in brackets.`
    case 'altered':
      return changed.length === 0
        ? `The quotation differs from ${source}: words were changed.`
        : `The quotation differs from ${source} in words that matter: ${changed
            .slice(0, 6)
            .map((word) => quoteShownSingly(word))
            .join(', ')}.`
    case 'spliced':
      return `The quotation joins separate places of ${source} without marking it.`
    case 'misattributed':
      return `The quotation is in ${source}, not in ${quoteShownSingly(named)}.`
    case 'not_found':
      return 'The quotation was not found in this Space.'
  }
}
