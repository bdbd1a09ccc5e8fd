import type { Card, CardField } from '../../lib/contract/card.ts'
import { type Child, el } from '../dom.ts'
import { renderDiff, renderWhole } from './card-diff.ts'
import { cardWarnings } from './card-warnings.ts'
import { fieldName, fieldValue, isLong } from './card-words.ts'
import { icon } from './icon.ts'
import { visible } from './visible.ts'

export type BodyOptions = {
  now: Date
  /** Begins the ids of what can be opened. */
  id: string
}

/** What a draft would do: warnings, short fields as before → after, long ones as text. */
export function renderCardBody(card: Card, options: BodyOptions): Child {
  const fields = card.fields.filter((field) => isWorthShowing(card, field))
  const short = fields.filter((field) => !isLong(field))
  const long = fields.filter(isLong)
  return [
    cardWarnings(card).map((warning) =>
      el('p', { class: 'card-warning' }, icon('warning'), el('span', {}, warning)),
    ),
    short.length > 0 &&
      el(
        'dl',
        { class: 'card-fields' },
        short.map((field) => renderShort(card, field, options)),
      ),
    long.map((field) => renderLong(card, field, options)),
  ]
}

// Of a new or deleted entity only what holds something.
function isWorthShowing({ operation }: Card, { before, after }: CardField): boolean {
  if (operation === 'update') return true
  const value = operation === 'create' ? after : before
  return value !== null && value !== '' && value !== undefined && JSON.stringify(value) !== '{}'
}

function renderShort(card: Card, { name, before, after }: CardField, { now }: BodyOptions): HTMLElement {
  const say = (value: unknown) => visible(fieldValue({ name, value }, { references: card.references, now }))
  const old = el('del', { dir: 'auto' }, say(before))
  const fresh = el('ins', { dir: 'auto' }, say(after))
  const arrow = [' ', el('span', { class: 'visually-hidden' }, 'becomes'), icon('arrowRight'), ' ']
  const change = card.operation === 'create' ? fresh : card.operation === 'delete' ? old : [old, arrow, fresh]
  return el('div', {}, el('dt', {}, fieldName(name)), el('dd', {}, change))
}

function renderLong(
  { operation }: Card,
  { name, before, after }: CardField,
  { id }: BodyOptions,
): HTMLElement {
  const old = textOf(before)
  const fresh = textOf(after)
  const foldId = `${id}-${name}`
  const text =
    operation === 'create' || old === ''
      ? renderWhole(fresh, 'added', foldId)
      : operation === 'delete' || fresh === ''
        ? renderWhole(old, 'removed', foldId)
        : renderDiff(old, fresh, foldId)
  return el('section', { class: 'card-text' }, el('h3', {}, fieldName(name)), text)
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : JSON.stringify(value, null, 2)
