import type { QuoteCheck, QuoteVerdict } from '../../../../lib/contract/changes/quote-check.ts'
import { icon } from '../../../ui/components/icon.ts'
import { quoted } from '../../../ui/components/quoted.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'

/** The quotations of a hunk, each compared with the stored texts. */
export function renderQuotes(quotes: readonly QuoteCheck[]): Child {
  return (
    quotes.length > 0 &&
    el('ul', { class: 'card-quotes', 'aria-label': 'Quote checks' }, quotes.map(renderQuote))
  )
}

function renderQuote({ quote, verdict, message, nearest }: QuoteCheck): HTMLElement {
  const good = goodVerdicts.has(verdict)
  return el(
    'li',
    { class: good ? 'quote-good' : verdict === 'unchecked' ? 'quote-open' : 'quote-bad' },
    icon(good ? 'check' : 'warning'),
    el(
      'span',
      {},
      el('strong', {}, verdicts[verdict]),
      ' ',
      quoted(quote, 160),
      ' ',
      visible(message),
      nearest !== null && el('span', { class: 'quote-nearest' }, 'Source: ', quoted(nearest, 1000)),
    ),
  )
}

const goodVerdicts: ReadonlySet<QuoteVerdict> = new Set(['verbatim', 'shortened', 'with_insertions'])

const verdicts: Record<QuoteVerdict, string> = {
  verbatim: 'Exact quote.',
  shortened: 'Shortened.',
  with_insertions: 'With insertions.',
  altered: 'Words changed.',
  spliced: 'Joined from separate passages.',
  misattributed: 'Found in another source.',
  not_found: 'Not found.',
  unchecked: 'Not checked.',
}
