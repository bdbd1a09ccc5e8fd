// Adds, renames, changes and removes a property of a page. The server changes its line in the text, and nothing else.

import type { AuditRow } from '../../../lib/contract/audit.ts'
import type { Page, Properties, PropertyChange } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { undoChange } from '../../app/actions/undo-change.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { dateField } from '../../ui/components/date-field.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { type LivePage, pagePath } from '../data/page-data.ts'

type Item = Properties['items'][number]

type Type = NonNullable<Item['type']>

/** Shows the form for a property, or for a new one. */
export function editProperty(data: LivePage, item: Item | null, context: ViewContext): void {
  const form = propertyForm(item, context.now, { onSubmit: submit, onRemove: remove })
  const opener = document.activeElement?.id ?? ''
  data.isBusy = true
  const dialog = showDialog(
    { title: item ? `Property ${quoteShown(item.name)}` : 'Add property', name: 'property', onClose },
    form.node,
  )
  form.focus()

  function onClose(): void {
    data.isBusy = false
    document.getElementById(opener)?.focus()
  }

  async function submit(): Promise<void> {
    const { name, value } = form.read()
    if (!item) return await save([{ add: { name, value } }], `Added ${quoteShown(name)}.`)
    const isSame = JSON.stringify(value) === JSON.stringify(item.value)
    await save(
      [
        ...(name === item.name ? [] : [{ rename: { name: item.name, to: name } }]),
        ...(isSame ? [] : [{ set: { name, value } }]),
      ],
      `Changed ${quoteShown(name)}.`,
    )
  }

  async function remove(): Promise<void> {
    await save([{ remove: { name: item!.name } }], `Removed ${quoteShown(item!.name)}.`)
  }

  async function save(edits: PropertyChange[], message: string): Promise<void> {
    if (edits.length === 0) return dialog.close()
    const { app, refresh } = context
    const { id, version } = data.page
    try {
      const page = await app.api.patch<Page>(`${pagePath(id)}/properties`, { version, edits })
      app.toast(message, { action: { label: 'Undo', run: () => undo(page, context) } })
      await refresh()
      dialog.close()
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === 409
      form.fail(
        isStale
          ? 'The page was changed in the meantime. Close this and open the property again.'
          : messageOf(error),
      )
    }
  }
}

type Handlers = { onSubmit: () => void; onRemove: () => void }

function propertyForm(item: Item | null, now: Date, { onSubmit, onRemove }: Handlers) {
  const name = el('input', {
    class: 'field',
    id: 'property-name',
    value: item?.name ?? '',
    maxlength: 200,
    required: true,
  })
  const type = el(
    'select',
    { class: 'field', id: 'property-type', onchange: () => draw() },
    Object.entries(typeNames).map(([id, label]) =>
      el('option', { value: id, selected: id === (item?.type ?? 'text') }, label),
    ),
  )
  const place = el('div', {})
  const problem = el('p', { class: 'problem', role: 'alert' })
  const draw = () => place.replaceChildren(valueField(type.value as Type, item?.value ?? null, now))
  const field = () => place.querySelector<HTMLInputElement>('#property-value')!
  const labelled = (label: string, id: string, control: HTMLElement) => [
    el('label', { class: 'field-label', for: id }, label),
    control,
  ]
  draw()
  return {
    node: el(
      'form',
      {
        class: 'stack',
        onsubmit: (event: Event) => {
          event.preventDefault()
          onSubmit()
        },
      },
      labelled('Name', 'property-name', name),
      labelled('Type', 'property-type', type),
      labelled('Value', 'property-value', place),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, item ? 'Save' : 'Add property'),
        item &&
          el(
            'button',
            { class: 'button button-danger', type: 'button', onclick: onRemove },
            'Remove property',
          ),
      ),
    ),
    focus: () => (item ? field() : name).focus(),
    read: () => ({
      name: name.value.trim(),
      value: readPropertyValue(type.value as Type, field(), item?.value ?? null),
    }),
    fail: (why: string) => {
      problem.textContent = why
    },
  }
}

/** By the row of the audit log that the change made. */
async function undo({ id, version }: Page, { app }: ViewContext): Promise<void> {
  const { items } = await app.api.get<List<AuditRow>>(`/api/audit?entity_id=${id}&limit=20`)
  const made = items.find((row) => row.version === version)
  if (made) await undoChange(app, { path: `/api/audit/${made.seq}/undo` })
}

type Value = Item['value']

const typeNames: Record<Type, string> = {
  text: 'Text',
  number: 'Number',
  checkbox: 'Checkbox',
  date: 'Date',
  list: 'List',
  link: 'Link',
}

/** The field for a value of a type, filled with what fits of the present one. */
function valueField(type: Type, value: Value, now: Date): HTMLElement {
  const id = 'property-value'
  const text = asText(value)
  if (type === 'list')
    return el(
      'textarea',
      { class: 'field', id, rows: 4, placeholder: 'One item per line' },
      asItems(value).join('\n'),
    )
  if (type === 'checkbox') return el('input', { id, type: 'checkbox', checked: value === true })
  if (type === 'number')
    return el('input', { class: 'field', id, inputmode: 'decimal', value: text, maxlength: 40 })
  if (type === 'date' && isDay(text)) return dateField({ id, label: 'Value', value: text, now })
  return el('input', {
    class: 'field',
    id,
    value: type === 'link' ? text.replace(/^\[\[|\]\]$/g, '') : text,
    maxlength: 1000,
  })
}

/** What the field says, as a value of the type; items that are as they were keep their own types. */
function readPropertyValue(
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
  const items = new Map((Array.isArray(before) ? before : []).map((item) => [String(item), item]))
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.map((line) => items.get(line) ?? line)
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
