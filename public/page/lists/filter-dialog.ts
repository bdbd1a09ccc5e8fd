import type { Condition, KnownProperty } from '../../../lib/contract/space/pages.ts'
import { changeQuery, type ViewContext } from '../../app/view.ts'
import { dateField } from '../../ui/components/date-field.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { localDay } from '../../ui/time.ts'
import { builtIn, labelOf, opNames, queryOf } from './list-state.ts'
import type { ListData } from './load-list.ts'

type Op = Condition['op']

type ValueType = KnownProperty['types'][number] | 'tag' | 'folder'

const opsOf: Record<ValueType, readonly Op[]> = {
  text: ['contains', 'is', 'is_not', 'not_contains', 'starts_with', 'ends_with', 'empty', 'not_empty'],
  number: ['is', 'is_not', 'gt', 'gte', 'lt', 'lte', 'empty', 'not_empty'],
  date: ['is', 'lt', 'lte', 'gt', 'gte', 'empty', 'not_empty'],
  checkbox: ['is', 'is_not', 'empty', 'not_empty'],
  list: ['has', 'empty', 'not_empty'],
  link: ['has', 'empty', 'not_empty'],
  tag: ['contains', 'not_contains', 'empty', 'not_empty'],
  folder: ['in_folder'],
}

const withoutValue: readonly Op[] = ['empty', 'not_empty']

const builtInTypes: Record<string, ValueType> = {
  'file.tags': 'tag',
  'file.name': 'text',
  'file.mtime': 'date',
  'file.ctime': 'date',
  'file.folder': 'folder',
}

/** Asks for a property, a comparison and a value, and adds them to the filters. */
export function showFilterDialog({ state, names }: ListData, context: ViewContext): void {
  const properties = [...Object.keys(builtInTypes), ...names.map(({ name }) => name)]
  const property = el(
    'select',
    { class: 'field', id: 'filter-property', onchange: drawOps },
    properties.map((name) => el('option', { value: name }, labelOf(name))),
  )
  const op = el('select', { class: 'field', id: 'filter-op', onchange: drawValue })
  const place = el('div', { class: 'stack' })
  const dialog = showDialog(
    { title: 'Add filter', name: 'filter', onClose: () => document.getElementById('add-filter')?.focus() },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'field-label', for: 'filter-property' }, 'Property'),
      property,
      el('label', { class: 'field-label', for: 'filter-op' }, 'Condition'),
      op,
      place,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Add filter'),
      ),
    ),
  )
  drawOps()
  property.focus()

  function typesOf(): ValueType[] {
    const builtIn = Object.hasOwn(builtInTypes, property.value) ? builtInTypes[property.value] : undefined
    return builtIn ? [builtIn] : (names.find(({ name }) => name === property.value)?.types ?? ['text'])
  }

  function drawOps(): void {
    const ops = [...new Set(typesOf().flatMap((type) => opsOf[type]))]
    op.replaceChildren(...ops.map((name) => el('option', { value: name }, opNames[name])))
    drawValue()
  }

  function drawValue(): void {
    const isBare = withoutValue.includes(op.value as Op)
    place.replaceChildren(...(isBare ? [] : valueField(typesOf()[0] ?? 'text', context.now)))
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const field = place.querySelector<HTMLInputElement | HTMLSelectElement | HTMLButtonElement>(
      '#filter-value',
    )
    const condition = {
      property: property.value,
      op: op.value as Op,
      ...(field && { value: readValue(field.value, typesOf()) }),
    }
    dialog.close()
    await changeQuery(context, queryOf({ parts: [...state.parts, condition] }))
  }
}

const valueField = (type: ValueType, now: Date): HTMLElement[] => [
  el('label', { class: 'field-label', for: 'filter-value' }, 'Value'),
  type === 'checkbox'
    ? el(
        'select',
        { class: 'field', id: 'filter-value' },
        el('option', { value: 'true' }, 'on'),
        el('option', { value: 'false' }, 'off'),
      )
    : type === 'date'
      ? dateField({ id: 'filter-value', label: 'Value', value: localDay(now), now })
      : el('input', {
          class: 'field',
          id: 'filter-value',
          type: 'text',
          inputmode: type === 'number' ? 'decimal' : null,
          maxlength: 500,
          required: true,
          autocomplete: 'off',
        }),
]

function readValue(written: string, types: readonly ValueType[]): string | number | boolean {
  const text = written.trim()
  if (types.includes('checkbox') && (text === 'true' || text === 'false')) return text === 'true'
  const number = Number(text.replace(',', '.'))
  return types.includes('number') && text !== '' && Number.isFinite(number) ? number : text
}

const maxColumns = 30

/** Asks which properties are shown; those shown now keep their order, others come behind. */
export function showColumnsDialog({ state, names }: ListData, context: ViewContext): void {
  const visible = state.columns.map(({ property }) => property)
  const others = [...Object.keys(builtIn), ...names.map(({ name }) => name)]
  const isShown = (name: string) => visible.some((property) => property.toLowerCase() === name.toLowerCase())
  const all = [...visible, ...others.filter((name) => !isShown(name))]
  const form = el(
    'form',
    { class: 'stack', onsubmit: submit },
    el(
      'fieldset',
      { class: 'column-choices' },
      el('legend', { class: 'visually-hidden' }, 'Columns'),
      all.map((property, at) =>
        el(
          'label',
          { class: 'column-choice' },
          el('input', {
            type: 'checkbox',
            id: `column-${at}`,
            value: property,
            checked: visible.includes(property),
          }),
          state.columns.find((column) => column.property === property)?.label ?? labelOf(property),
        ),
      ),
    ),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, 'Show columns'),
    ),
  )
  const dialog = showDialog(
    { title: 'Columns', name: 'columns', onClose: () => document.getElementById('choose-columns')?.focus() },
    form,
  )
  form.querySelector('input')?.focus()

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const chosen = [...form.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value)
    dialog.close()
    const columns = (chosen.length > 0 ? chosen : ['file.name']).slice(0, maxColumns)
    await changeQuery(context, queryOf({ columns: columns.map((property) => ({ property, label: '' })) }))
  }
}
