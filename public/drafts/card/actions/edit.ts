// Edits a draft before it is approved. The agent's draft stays as it was: the server stores the edited values as a draft
// of the owner's, with a hash of its own.

import type { Card, CardField } from '../../../../lib/contract/changes/card.ts'
import type { PendingChange } from '../../../../lib/contract/changes/pending-change.ts'
import { messageOf } from '../../../app/api/api.ts'
import type { App } from '../../../app/app.ts'
import { dateField } from '../../../ui/components/date-field.ts'
import { el } from '../../../ui/dom.ts'
import { priorities, projectStatusNames, statuses } from '../../../ui/words/names.ts'

export type EditOptions = {
  place: string
  onSave: (edited: Record<string, unknown>) => Promise<void>
  onCancel: () => void
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement

/** A form with the whole values of the payload: the card may show them truncated. */
export async function renderEdit(
  { api, now }: Pick<App, 'api' | 'now'>,
  card: Card,
  { place, onSave, onCancel }: EditOptions,
): Promise<HTMLElement> {
  const id = `${place}-edit-${card.pending_change_id}`
  try {
    const { payload } = await api.get<PendingChange>(`/api/pending-changes/${card.pending_change_id}`)
    const fields = card.fields
      .filter(({ name }) => effectFields[card.entity_type]?.has(name) ?? isEditable(name, payload[name]))
      .toSorted((a, b) => Number(a.text !== null) - Number(b.text !== null))
    return el(
      'form',
      { class: 'card-edit', onsubmit: save },
      fields.map((field) =>
        el(
          'label',
          { class: 'field-label' },
          field.label,
          createInput(field, payload[field.name], {
            type: card.entity_type,
            id: `${id}-${field.name}`,
            now: now(),
          }),
        ),
      ),
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-approve', type: 'submit' }, 'Approve with edits'),
        el('button', { class: 'button button-quiet', type: 'button', onclick: onCancel }, 'Cancel'),
      ),
    )

    async function save(event: SubmitEvent): Promise<void> {
      event.preventDefault()
      const edited = fields.flatMap(({ name }): [string, unknown][] => {
        const input = document.getElementById(`${id}-${name}`)
        if (!isField(input)) return []
        const value = readInput(input, payload[name])
        return value === payload[name] ? [] : [[name, value]]
      })
      await onSave(Object.fromEntries(edited))
    }
  } catch (error) {
    return el(
      'div',
      { class: 'card-edit' },
      el('p', { class: 'problem', role: 'alert' }, messageOf(error)),
      el('button', { class: 'button', type: 'button', onclick: onCancel }, 'Back'),
    )
  }
}

/** Of what has an effect outside of Void. */
const effectFields: Record<string, ReadonlySet<string>> = {
  call: new Set(['arguments']),
  reply: new Set(['to_addresses', 'cc_addresses', 'subject', 'body']),
}

/** References to other entities are edited in the view of the entity. */
const isEditable = (name: string, value: unknown) =>
  !name.endsWith('_id') && (typeof value === 'string' || typeof value === 'number' || value === null)

function createInput(
  { name, label }: CardField,
  value: unknown,
  { type, id, now }: { type: string; id: string; now: Date },
): Field {
  const text = value === null || value === undefined ? '' : String(value)
  const choices = name === 'status' ? statusesOf(type) : name === 'priority' ? priorities : []
  if (choices.length > 0) {
    return el(
      'select',
      { class: 'field', id },
      choices.map((choice) =>
        el('option', { value: choice, selected: choice === text }, choice.replaceAll('_', ' ')),
      ),
    )
  }
  if (name === 'body' || name === 'text' || text.includes('\n') || text.length > 160) {
    const field = el('textarea', {
      class: 'field card-edit-text',
      id,
      rows: Math.min(20, text.split('\n').length + 2),
    })
    field.value = text
    return field
  }
  if (name.endsWith('_on')) return dateField({ id, label, value: text, now })
  const kind = typeof value === 'number' ? 'number' : 'text'
  return el('input', { class: 'field', id, type: kind, value: text })
}

const isField = (node: Element | null): node is Field =>
  [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement].some(
    (type) => node instanceof type,
  )

/** The value in the type that the payload has: a number stays one; an optional value that was emptied is null. */
function readInput(input: Field, before: unknown): unknown {
  if (typeof before === 'number') return Number(input.value)
  if (input.value === '' && (before === null || input instanceof HTMLButtonElement)) return null
  return input.value
}

/** The statuses of a kind; empty for one without a status. */
function statusesOf(type: string): readonly string[] {
  if (type === 'task') return statuses
  return type === 'project' ? Object.keys(projectStatusNames) : []
}
