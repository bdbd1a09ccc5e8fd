import type { QuoteCheck, QuoteVerdict } from '../../lib/contract/card.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

/** How each quotation of a hunk stands against the stored texts. */
export function renderQuotes(quotes: readonly QuoteCheck[]): Child {
  return (
    quotes.length > 0 &&
    el('ul', { class: 'card-quotes', 'aria-label': 'Quotations, checked' }, quotes.map(renderQuote))
  )
}

function renderQuote({ quote, verdict, message, nearest }: QuoteCheck): HTMLElement {
  const good = verdict === 'verbatim'
  return el(
    'li',
    { class: good ? 'quote-good' : verdict === 'unchecked' ? 'quote-open' : 'quote-bad' },
    icon(good ? 'check' : 'warning'),
    el(
      'span',
      {},
      el('strong', {}, verdicts[verdict]),
      ' ',
      el('q', { dir: 'auto' }, visible(shorten(quote))),
      ' ',
      visible(message),
      nearest !== null &&
        el('span', { class: 'quote-nearest' }, 'It says: ', el('q', { dir: 'auto' }, visible(nearest))),
    ),
  )
}

const verdicts: Record<QuoteVerdict, string> = {
  verbatim: 'Quoted word for word.',
  altered: 'Words changed.',
  spliced: 'Put together from pieces.',
  misattributed: 'Stands elsewhere.',
  not_found: 'Found nowhere.',
  unchecked: 'Not checked.',
}

const shorten = (text: string) => (text.length > 160 ? `${text.slice(0, 159).toWellFormed()}…` : text)
