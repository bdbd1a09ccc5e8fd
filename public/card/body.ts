import type { Card, CardField, CardWarning } from '../../lib/contract/card.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { countParts } from './choose.ts'
import { renderLinks } from './links.ts'
import { renderText } from './text.ts'

/** What a draft would do: what deserves a second look, short fields as before → after, texts as their changes. */
export function renderCardBody(card: Card, id: string): Child {
  const fields = card.fields.filter((field) => isWorthShowing(card, field))
  const choosable = card.status === 'pending' && card.stale === null && countParts(card) > 1
  const short = fields.filter(({ text }) => text === null)
  return [
    renderWarnings(card.warnings),
    (short.length > 0 || card.defaults.length > 0) &&
      el(
        'dl',
        { class: 'card-fields' },
        short.map((field) => renderShort(card, field, { id, choosable })),
        card.defaults.map(({ label, words }) =>
          el('div', { class: 'card-default' }, el('dt', {}, label), el('dd', {}, visible(words))),
        ),
      ),
    fields.map((field) => field.text && renderLong(card, field, { id, choosable })),
  ]
}

function renderWarnings(warnings: readonly CardWarning[]): Child {
  return (
    warnings.length > 0 &&
    el(
      'ul',
      { class: 'card-warnings', 'aria-label': 'Look twice' },
      warnings.map(({ message, code }) =>
        el(
          'li',
          { class: 'card-warning', 'data-code': code },
          icon('warning'),
          el('span', {}, visible(message)),
        ),
      ),
    )
  )
}

// Of a new or deleted entity only what holds something.
function isWorthShowing({ operation }: Card, { before, after }: CardField): boolean {
  if (operation === 'update') return true
  const value = operation === 'create' ? after : before
  return value !== null && value !== '' && value !== undefined && JSON.stringify(value) !== '{}'
}

type FieldOptions = { id: string; choosable: boolean }

/** A new entity cannot go without its title. */
const isOptional = ({ operation }: Card, { name }: CardField) => operation === 'update' || name !== 'title'

function renderShort(card: Card, field: CardField, { id, choosable }: FieldOptions): HTMLElement {
  const { name, label, words, links } = field
  const sides = words ?? { before: String(field.before ?? ''), after: String(field.after ?? '') }
  const old = el('del', { dir: 'auto' }, visible(sides.before))
  const fresh = el('ins', { dir: 'auto' }, visible(sides.after))
  const arrow = [' ', el('span', { class: 'visually-hidden' }, 'becomes'), icon('arrowRight'), ' ']
  const change = card.operation === 'create' ? fresh : card.operation === 'delete' ? old : [old, arrow, fresh]
  const box = `${id}-take-${name}`
  return el(
    'div',
    {},
    el(
      'dt',
      {},
      choosable && isOptional(card, field) ? [choice(box, name), el('label', { for: box }, label)] : label,
    ),
    el('dd', {}, change, renderLinks(links)),
  )
}

function renderLong(card: Card, field: CardField, { id, choosable }: FieldOptions): HTMLElement {
  const { name, label, text, cut } = field
  const perHunk = choosable && card.operation === 'update'
  const whole = choosable && card.operation === 'create'
  const box = `${id}-take-${name}`
  return el(
    'section',
    { class: 'card-text' },
    el('h3', {}, whole ? [choice(box, name), el('label', { for: box }, label)] : label),
    text && renderText(field, text, { id, choosable: perHunk }),
    cut &&
      el(
        'p',
        { class: 'diff-gap' },
        `The end is left out here: ${(cut.before + cut.after).toLocaleString('en')} characters. The exact payload has it.`,
      ),
  )
}

const choice = (id: string, field: string) =>
  el('input', { class: 'card-choice', type: 'checkbox', id, checked: true, 'data-field': field })
