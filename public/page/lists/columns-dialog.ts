import { changeQuery, type ViewContext } from '../../app/view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { builtIn, labelOf, queryOf } from './list-state.ts'
import type { ListData } from './load-list.ts'

const maxColumns = 30

/** Asks which properties are shown; those shown now keep their order, others come behind. */
export function showColumnsDialog({ state, names }: ListData, context: ViewContext): void {
  const shown = state.columns.map(({ property }) => property)
  const others = [...Object.keys(builtIn), ...names.map(({ name }) => name)]
  const isShown = (name: string) => shown.some((property) => property.toLowerCase() === name.toLowerCase())
  const all = [...shown, ...others.filter((name) => !isShown(name))]
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
            checked: shown.includes(property),
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
