// Both sides of a change that cannot simply be taken back, and the choice between them.

import type { UndoConflict, UndoField } from '../../lib/contract/history.ts'
import { actorNameFirst } from '../actor-name.ts'
import { fieldName } from '../card/words.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { renderDiff } from './card-diff.ts'
import { showDialog } from './dialog.ts'
import { visible } from './visible.ts'

/** The value chosen for each field that could not be merged; `null` when the owner leaves it as it is. */
export function settleUndo(conflict: UndoConflict, now: Date): Promise<Record<string, unknown> | null> {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown> | null>()
  const open = conflict.fields.filter(({ clean }) => !clean)
  const deletes = conflict.action === 'delete'
  const form = el(
    'form',
    { class: 'stack undo-settle', onsubmit: submit },
    el('p', { tabindex: -1, autofocus: true }, renderSince(conflict, now)),
    open.map((field, index) => renderField(field, index, deletes)),
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { class: ['button', deletes ? 'button-danger' : 'button-primary'], type: 'submit' },
        deletes ? 'Put it in the trash all the same' : 'Undo with these choices',
      ),
      el(
        'button',
        { class: 'button button-quiet', type: 'button', onclick: () => dialog.close() },
        'Leave it as it is',
      ),
    ),
  )
  const title = `“${conflict.title}” was changed again since`
  const dialog = showDialog({ title, name: 'undo', onClose: () => resolve(null) }, form)
  return promise

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const chosen = new FormData(form)
    const values = open.map((field) => [
      field.name,
      chosen.get(field.name) === 'ours' ? field.ours : field.theirs,
    ])
    resolve(deletes ? {} : Object.fromEntries(values))
    dialog.close()
  }
}

function renderSince({ since, action }: UndoConflict, now: Date): Child {
  const last = since.at(-1)
  const rest = action === 'delete' ? 'Undoing its creation' : 'Undoing the change'
  return [
    last ? [actorNameFirst(last.actor), ' changed it ', timeAgo(last.at, now), '. '] : null,
    rest,
    action === 'delete'
      ? ' puts all of that in the trash with it.'
      : ' meets that in the same place. Both stay in the history.',
  ]
}

function renderField(field: UndoField, index: number, deletes: boolean): HTMLElement {
  const { name } = field
  const long = [field.theirs, field.ours].some(isLong)
  const shown = long
    ? renderDiff(
        textOf(deletes ? field.base : field.theirs),
        textOf(deletes ? field.theirs : field.ours),
        `undo-${index}`,
      )
    : null
  return el(
    'fieldset',
    { class: 'choices version-change' },
    el('legend', { class: 'field-label' }, fieldName(name)),
    deletes && !long && el('p', {}, visible(textOf(field.base)), ' → ', visible(textOf(field.theirs))),
    shown,
    !deletes && [
      option(name, 'theirs', 'Keep it as it is now', long ? null : field.theirs),
      option(name, 'ours', 'Put back what it was before', long ? null : field.ours),
    ],
  )
}

const isLong = (value: unknown) => typeof value === 'string' && (value.length > 160 || value.includes('\n'))

const option = (name: string, value: 'ours' | 'theirs', label: string, shown: unknown) =>
  el(
    'label',
    { class: 'choice' },
    el('input', { type: 'radio', name, value, checked: value === 'theirs', id: `undo-${name}-${value}` }),
    el(
      'span',
      {},
      el('strong', {}, label),
      shown !== null && el('span', { class: 'dim small' }, visible(textOf(shown))),
    ),
  )

const textOf = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
