// Both versions of a change that cannot simply be undone, and the choice between them.

import type { UndoConflict, UndoField } from '../../../lib/contract/entities.ts'
import { fieldLabel } from '../../../lib/core/text/properties/field-label.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { tooComplex, visible } from '../../ui/components/visible.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { actorNameFirst } from '../../ui/words/names.ts'

/** The value chosen for each field that could not be merged; `null` when the owner cancels. */
export function resolveUndo(conflict: UndoConflict, now: Date): Promise<Record<string, unknown> | null> {
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
        deletes ? 'Move to trash anyway' : 'Undo with these choices',
      ),
      el('button', { class: 'button button-quiet', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  )
  const title = `${quoteShown(conflict.title)} has newer changes`
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
  return [
    last ? [actorNameFirst(last.actor), ' changed it ', timeAgo(last.at, now), '. '] : null,
    action === 'delete'
      ? 'Undoing its creation moves those changes to trash too.'
      : 'They are in the same place as the change to undo. Both versions stay in the history.',
  ]
}

function renderField(field: UndoField, index: number, deletes: boolean): HTMLElement {
  const { name } = field
  const long = [field.theirs, field.ours].some(isLong)
  const isCompared = long && !field.too_complex
  const comparison = field.too_complex
    ? tooComplex('The change', 'Its text is shown as it is.')
    : long
      ? renderDiff(
          textOf(deletes ? field.base : field.theirs),
          textOf(deletes ? field.theirs : field.ours),
          `undo-${index}`,
        )
      : null
  return el(
    'fieldset',
    { class: 'choices version-change' },
    el('legend', { class: 'field-label' }, fieldLabel(name)),
    deletes && !long && el('p', {}, visible(textOf(field.base)), ' → ', visible(textOf(field.theirs))),
    comparison,
    !deletes && [
      option(name, 'theirs', 'Keep current version', isCompared ? null : field.theirs),
      option(name, 'ours', 'Restore previous version', isCompared ? null : field.ours),
    ],
  )
}

const isLong = (value: unknown) => typeof value === 'string' && (value.length > 160 || value.includes('\n'))

const option = (name: string, value: 'ours' | 'theirs', label: string, content: unknown) =>
  el(
    'label',
    { class: 'choice' },
    el('input', { type: 'radio', name, value, checked: value === 'theirs', id: `undo-${name}-${value}` }),
    el(
      'span',
      {},
      el('strong', {}, label),
      content !== null && el('span', { class: 'dim small' }, visible(textOf(content))),
    ),
  )

const textOf = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
