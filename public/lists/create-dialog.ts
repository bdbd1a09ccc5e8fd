import type { Entity } from '../../lib/contract/entities.ts'
import { entityHref, type KindType, kindNames } from '../addresses.ts'
import { messageOf } from '../api.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { keepDraft } from '../drafts.ts'
import type { ViewContext } from '../view.ts'

/** What is asked for besides the title. */
export type NewField = {
  name: string
  label: string
  type: 'text' | 'url' | 'date'
  required?: boolean
  /** Offered, not imposed. */
  suggestions?: readonly string[]
}

export type CreateOptions = { type: KindType; fields: readonly NewField[] }

/** Asks for what a new thing needs, makes it and opens it. What is typed survives a reload until it is sent. */
export function showCreateDialog({ app, space }: ViewContext, { type, fields }: CreateOptions): void {
  const { one, path } = kindNames[type]
  const draft = keepDraft(`new-${type}:${space!.id}`)
  const problem = el('p', { class: 'problem', role: 'alert' })
  const form = el(
    'form',
    { class: 'stack', onsubmit: submit, oninput: () => draft.write(JSON.stringify(values())) },
    [{ name: 'title', label: 'Title', type: 'text' as const, required: true }, ...fields].map(fieldRow),
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, `Make the ${one.toLowerCase()}`),
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  )
  fillFrom(form, draft.read())
  const dialog = showDialog({ title: `New ${one.toLowerCase()}`, name: 'create' }, form)
  form.querySelector('input')?.focus()

  function values(): Record<string, string> {
    return Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [],
      ),
    )
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.textContent = ''
    try {
      const made = await app.api.post<Entity>(`/api/spaces/${space!.id}/${path}`, values())
      draft.write('')
      dialog.close()
      await app.navigate(entityHref(space!.slug, type, made.id)!)
    } catch (error) {
      problem.textContent = `Nothing was made; what you typed is kept. ${messageOf(error)}`
    }
  }
}

function fieldRow({ name, label, type, required = false, suggestions = [] }: NewField): HTMLElement {
  const id = `new-${name}`
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
      maxlength: type === 'date' ? null : 500,
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
    const kept: unknown = JSON.parse(draft || '{}')
    for (const field of form.querySelectorAll('input')) {
      const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, field.name) : null
      if (typeof value === 'string') field.value = value
    }
  } catch {
    // A draft that cannot be read is none.
  }
}
