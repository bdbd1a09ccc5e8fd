// Search and commands, from anywhere: a field and a list in a dialog. The focus stays in the field; the arrow keys choose
// in the list.

import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { createChoices } from './choices.ts'
import { createFinder, type Found } from './find.ts'
import { entryGroups } from './groups.ts'

/** Opens the palette with what was typed before it was there; where it is open, that is added to its field. */
export function showPalette(app: App, typed: string): void {
  const open = document.querySelector<HTMLInputElement>('.palette[open] .palette-field')
  if (open) {
    insert(open, typed)
    return
  }
  /** The newest results of a query. */
  let last: Found | null = null
  const controller = new AbortController()
  const choices = createChoices(close)
  const find = createFinder(app.api, show, controller.signal)
  const field = el('input', {
    class: 'palette-field',
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    'aria-label': 'Search or run a command',
    placeholder: 'Search or run a command…',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 2000,
    enterkeyhint: 'go',
    oninput: () => search(),
    onkeydown: (event: KeyboardEvent) => choices.onKey(event),
  })
  const status = el('p', { class: 'palette-status', role: 'status' })
  const dialog = el(
    'dialog',
    {
      class: 'palette',
      'aria-label': 'Search or run a command',
      onclick: (event: MouseEvent) => event.target === dialog && close(),
      onclose: () => {
        controller.abort()
        dialog.remove()
      },
    },
    el('div', { class: 'palette-head' }, icon('search'), field, el('kbd', {}, 'Esc')),
    choices.element,
    status,
  )
  choices.attach(field)
  document.body.append(dialog)
  dialog.showModal()
  field.value = typed
  search()

  // What uses the query as its text must never stand there with an older one; results stay until newer ones arrive.
  function search(): void {
    const query = field.value.trim()
    choices.expect(query !== '')
    if (query === '') last = null
    choices.show(entryGroups(app, query, last))
    find(query)
  }

  function show(all: Found): void {
    const found = { ...all, titles: hereFirst(all.titles), passages: hereFirst(all.passages) }
    last = found.query === '' ? null : found
    choices.show(entryGroups(app, found.query, found))
    if (found.complete) choices.expect(false)
    status.classList.toggle('problem', Boolean(found.error))
    status.textContent = found.error ? messageOf(found.error) : found.complete ? choices.count() : ''
  }

  /** What is in the Space that is open, and then the others. */
  function hereFirst<Item extends { space_id: string }>(items: readonly Item[]): Item[] {
    const here = app.state.get().space?.id
    return items.toSorted((one, other) => Number(other.space_id === here) - Number(one.space_id === here))
  }

  function close(): void {
    dialog.close()
  }
}

function insert(field: HTMLInputElement, text: string): void {
  if (text === '') return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input'))
}
