import type { Entity } from '../../../lib/contract/entities.ts'
import { messageOf } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import type { ViewContext } from '../../app/view.ts'
import { dateField } from '../../ui/components/date-field.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, type KindType, kindNames } from '../../ui/words/addresses.ts'

/** A field besides the title. */
export type NewField = {
  name: string
  label: string
  type: 'text' | 'url' | 'date'
  required?: boolean
  /** Suggested values; any other is valid too. */
  suggestions?: readonly string[]
}

export type CreateOptions = { type: KindType; fields: readonly NewField[] }

/** Creates an entity from a form and opens it. Unsent text survives a reload. */
export function showCreateDialog({ app, space }: ViewContext, { type, fields }: CreateOptions): void {
  const { one, path } = kindNames[type]
  const draft = savedText(`new-${type}:${space!.id}`)
  const problem = el('p', { class: 'problem', role: 'alert' })
  const form = el(
    'form',
    { class: 'stack', onsubmit: submit, oninput: () => draft.write(JSON.stringify(values())) },
    [{ name: 'title', label: 'Title', type: 'text' as const, required: true }, ...fields].map((field) =>
      fieldRow(field, app.now()),
    ),
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, `Create ${one.toLowerCase()}`),
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  )
  fillFrom(form, draft.read())
  const dialog = showDialog({ title: `New ${one.toLowerCase()}`, name: 'create' }, form)
  form.querySelector('input')?.focus()

  function values(): Record<string, string> {
    const days = [...form.querySelectorAll<HTMLButtonElement>('.date-field')].map(
      ({ name, value }) => [name, value] as const,
    )
    return Object.fromEntries(
      [...new FormData(form), ...days].flatMap(([name, value]) =>
        typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [],
      ),
    )
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.textContent = ''
    try {
      const created = await app.api.post<Entity>(`/api/spaces/${space!.id}/${path}`, values())
      draft.write('')
      dialog.close()
      await app.navigate(entityHref(space!.slug, type, created.id)!)
    } catch (error) {
      problem.textContent = `Could not create it. ${messageOf(error)}`
    }
  }
}

function fieldRow(
  { name, label, type, required = false, suggestions = [] }: NewField,
  now: Date,
): HTMLElement {
  const id = `new-${name}`
  if (type === 'date')
    return el(
      'div',
      { class: 'new-field' },
      el('label', { class: 'field-label', for: id }, `${label} (optional)`),
      dateField({ id, label, value: '', now, props: { name } }),
    )
  return el(
    'div',
    { class: 'new-field' },
    el('label', { class: 'field-label', for: id }, required ? label : `${label} (optional)`),
    el('input', {
      class: 'field',
      id,
      name,
      type,
      required,
      maxlength: 500,
      autocomplete: 'off',
      list: suggestions.length > 0 ? `${id}-list` : null,
    }),
    suggestions.length > 0 &&
      el(
        'datalist',
        { id: `${id}-list` },
        suggestions.map((value) => el('option', { value })),
      ),
  )
}

function fillFrom(form: HTMLFormElement, draft: string): void {
  try {
    const draftValue: unknown = JSON.parse(draft || '{}')
    for (const field of form.querySelectorAll('input')) {
      const value: unknown =
        typeof draftValue === 'object' && draftValue !== null ? Reflect.get(draftValue, field.name) : null
      if (typeof value === 'string') field.value = value
    }
  } catch {
    // An unreadable draft is ignored.
  }
}
