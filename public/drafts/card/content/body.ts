import type { Card, CardField, CardWarning, WarningCode } from '../../../../lib/contract/changes/card.ts'
import { icon } from '../../../ui/components/icon.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { exactTime } from '../../../ui/time.ts'
import { countParts } from '../draft/parts.ts'
import { renderLinks, renderQuotes, renderText } from './text.ts'

/**
 * The warnings of a draft, its short fields as before → after, and its texts as diffs. `isBrief`: less of a long text is
 * open.
 */
export function renderCardBody(card: Card, id: string, { isBrief = false } = {}): Child {
  const fields = card.fields.filter((field) => isWorthShowing(card, field))
  const choosable = card.status === 'pending' && card.stale === null && countParts(card) > 1
  const short = fields.filter(({ text }) => text === null)
  const long = fields.length - short.length
  return [
    renderWarnings(card.warnings),
    short.length > 0 &&
      el(
        'dl',
        { class: 'card-fields' },
        short.map((field) => renderShort(card, field, { id, choosable })),
      ),
    fields.map(
      (field) =>
        field.text &&
        renderLong(card, field, { id, choosable, isBrief, isAlone: long === 1 && short.length === 0 }),
    ),
  ]
}

/** What is good to know, and no reason to doubt the draft. */
const informing = new Set<WarningCode>(['edited_lately', 'rewrites_links', 'repeats'])

/** What to check before the draft is approved. */
export function renderWarnings(warnings: readonly CardWarning[]): Child {
  return (
    warnings.length > 0 &&
    el(
      'ul',
      { class: 'card-warnings', 'aria-label': 'Check carefully' },
      warnings.map(({ message, code }) =>
        informing.has(code)
          ? el('li', { class: 'dim small', 'data-code': code }, visible(message))
          : el(
              'li',
              { class: 'card-warning', 'data-code': code },
              icon('warning'),
              el('span', {}, visible(message)),
            ),
      ),
    )
  )
}

// Of a new or deleted entity only the fields with a value, and the title unless the summary has every character of it. Where
// a deleted page stood among the others says nothing.
function isWorthShowing({ operation, summary }: Card, field: CardField): boolean {
  if (operation === 'update') return true
  const { name, before, after, links, quotes = [] } = field
  const value = operation === 'delete' ? before : after
  if (operation === 'delete' && name === 'position') return false
  if (name === 'title' && links.length + quotes.length === 0 && summary.includes(`‘${value}’`)) return false
  return value !== null && value !== '' && value !== undefined && JSON.stringify(value) !== '{}'
}

type FieldOptions = { id: string; choosable: boolean }

/** `isAlone`: it is all that the draft changes, as its summary says. */
type TextOptions = FieldOptions & { isBrief: boolean; isAlone: boolean }

/** A new entity needs its title. */
const isOptional = ({ operation }: Card, { name }: CardField) => operation === 'update' || name !== 'title'

function renderShort(card: Card, field: CardField, { id, choosable }: FieldOptions): HTMLElement {
  const { name, label, words, links } = field
  const sides = words ?? { before: String(field.before ?? ''), after: String(field.after ?? '') }
  const old = el('del', { dir: 'auto', ...exactly(name, field.before) }, visible(sides.before))
  const fresh = el('ins', { dir: 'auto', ...exactly(name, field.after) }, visible(sides.after))
  const arrow = [' ', el('span', { class: 'visually-hidden' }, 'becomes'), icon('arrowRight'), ' ']
  const change = ['create', 'call'].includes(card.operation)
    ? fresh
    : card.operation === 'delete'
      ? old
      : [old, arrow, fresh]
  const box = `${id}-select-${name}`
  return el(
    'div',
    {},
    el(
      'dt',
      {},
      choosable && isOptional(card, field) ? [choice(box, name), el('label', { for: box }, label)] : label,
    ),
    el('dd', {}, change, renderLinks(links), renderQuotes(field.quotes ?? [])),
  )
}

/** Of a moment, the exact time on hovering. */
const exactly = (name: string, value: unknown) =>
  /_at$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? { title: exactTime(value, 'full') }
    : {}

function renderLong(
  card: Card,
  field: CardField,
  { id, choosable, isBrief, isAlone }: TextOptions,
): HTMLElement {
  const { name, label, text, cut } = field
  const perHunk = choosable && card.operation === 'update'
  const whole = choosable && card.operation === 'create'
  const box = `${id}-select-${name}`
  return el(
    'section',
    { class: 'card-text' },
    el(
      'p',
      { class: ['card-text-label', isAlone && !whole && 'visually-hidden'] },
      whole ? [choice(box, name), el('label', { for: box }, label)] : label,
    ),
    text &&
      renderText(field, text, { id, choosable: perHunk, isBrief, isWhole: card.operation !== 'update' }),
    cut &&
      el(
        'p',
        { class: 'diff-gap' },
        `The last ${(cut.before + cut.after).toLocaleString('en')} characters are not shown. Open the raw change to see them.`,
      ),
  )
}

const choice = (id: string, field: string) =>
  el('input', { class: 'card-choice', type: 'checkbox', id, checked: true, 'data-field': field })
