import type { Properties } from '../../../lib/contract/entities.ts'
import { dateField } from '../../ui/components/date-field.ts'
import { el } from '../../ui/dom.ts'

type Item = Properties['items'][number]
type Type = NonNullable<Item['type']>
type Value = Item['value']

export const typeNames: Record<Type, string> = {
  text: 'Text',
  number: 'Number',
  checkbox: 'Checkbox',
  date: 'Date',
  list: 'List',
  link: 'Link',
}

/** The field for a value of a type, filled with what fits of the present one. */
export function valueField(type: Type, value: Value, now: Date): HTMLElement {
  const id = 'property-value'
  const shown = asText(value)
  if (type === 'list')
    return el(
      'textarea',
      { class: 'field', id, rows: 4, placeholder: 'One item per line' },
      asItems(value).join('\n'),
    )
  if (type === 'checkbox') return el('input', { id, type: 'checkbox', checked: value === true })
  if (type === 'number')
    return el('input', { class: 'field', id, inputmode: 'decimal', value: shown, maxlength: 40 })
  if (type === 'date' && isDay(shown)) return dateField({ id, label: 'Value', value: shown, now })
  return el('input', {
    class: 'field',
    id,
    value: type === 'link' ? shown.replace(/^\[\[|\]\]$/g, '') : shown,
    maxlength: 1000,
  })
}

/** What the field says, as a value of the type; items that are as they were keep their own types. */
export function readPropertyValue(
  type: Type,
  field: HTMLInputElement | HTMLTextAreaElement | HTMLButtonElement,
  before: Value,
): Value {
  if (field instanceof HTMLInputElement && type === 'checkbox') return field.checked
  const text = field.value.trim()
  if (type === 'list') return readItems(field.value, before)
  if (text === '') return null
  if (type === 'link') return `[[${text.replace(/^\[\[|\]\]$/g, '')}]]`
  const number = Number(text.replace(',', '.'))
  return type === 'number' && Number.isFinite(number) ? number : text
}

function readItems(text: string, before: Value): Value {
  const known = new Map((Array.isArray(before) ? before : []).map((item) => [String(item), item]))
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.map((line) => known.get(line) ?? line)
}

/** A date with a time stays a text. */
const isDay = (text: string): boolean => /^(?:\d{4}-\d\d-\d\d)?$/.test(text)

const asItems = (value: Value): string[] =>
  Array.isArray(value)
    ? value.map(String)
    : value === null
      ? []
      : String(value)
          .split(/\s*,\s*/)
          .filter(Boolean)

const asText = (value: Value): string =>
  value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
