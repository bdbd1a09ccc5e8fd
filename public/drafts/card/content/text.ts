import type { CardField } from '../../../../lib/contract/changes/card.ts'
import type { QuoteCheck, QuoteVerdict } from '../../../../lib/contract/changes/provenance.ts'
import type { CardHunk, LinkChange, TextChange } from '../../../../lib/contract/changes/text-change.ts'
import { icon } from '../../../ui/components/icon.ts'
import { quoted, visible } from '../../../ui/components/visible.ts'
import { describeCounts, plural, renderHunks } from '../../../ui/diff/diff-hunk.ts'
import { type Child, el } from '../../../ui/dom.ts'

type TextOptions = {
  /** The prefix of the ids in it. */
  id: string
  /** Whether hunks can be selected one by one. */
  choosable: boolean
  /** Whether less of a long text is open. */
  isBrief?: boolean
  /** Whether the text is all there is of a new or deleted one, so that it has no place in another. */
  isWhole?: boolean
}

const brief = { hunks: 3, lines: 10, context: 1 }

/** The diff of a text, as the server made it. */
export function renderText(
  { name }: Pick<CardField, 'name'>,
  change: TextChange,
  options: TextOptions,
): HTMLElement {
  const id = `${options.id}-${name}`
  return el(
    'div',
    { class: 'diff' },
    renderHunks(
      change.hunks,
      id,
      (hunk) => ({
        id: `${id}-${hunk.index}`,
        above: gap(hunk.unchanged_above),
        below: [renderLinks(hunk.links), renderQuotes(hunk.quotes)],
        checkbox: options.choosable ? hunkCheckbox(hunk, id, name) : undefined,
        placeless: options.isWhole === true && change.hunks.length === 1,
      }),
      options.isBrief ? brief : undefined,
    ),
    change.folded &&
      el(
        'p',
        { class: 'diff-gap' },
        `${plural(change.folded.hunks, 'change')} not shown (${describeCounts(change.folded)})`,
      ),
    gap(change.unchanged_below),
  )
}

const hunkCheckbox = ({ index }: CardHunk, id: string, field: string) =>
  el('input', {
    class: 'card-choice',
    type: 'checkbox',
    id: `${id}-select-${index}`,
    checked: true,
    'data-field': field,
    'data-hunk': index,
  })

const gap = (lines: number): Child =>
  lines > 0 && el('p', { class: 'diff-gap' }, `${plural(lines, 'unchanged line')}`)

/** The links that a change adds, removes or redirects: the whole target, never only its label. */
export function renderLinks(links: readonly LinkChange[]): Child {
  return (
    links.length > 0 &&
    el('ul', { class: 'card-links', 'aria-label': 'Changed links' }, links.map(renderLink))
  )
}

function renderLink({ kind, label, before, after, hosts }: LinkChange): HTMLElement {
  const moved = hosts.after !== null && hosts.before !== hosts.after && before !== null
  return el(
    'li',
    { 'data-moved': moved },
    icon('link'),
    el(
      'span',
      {},
      label !== '' && label !== (after ?? before) && [quoted(label, 300), ' '],
      kind === 'image' || kind === 'embed' ? `(${kind}) ` : '',
      before !== null && el('del', {}, visible(before)),
      before !== null && after !== null && [' ', icon('arrowRight'), ' '],
      after !== null && el('ins', {}, visible(after)),
    ),
  )
}

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
