// Search over everything, and what can be done, from anywhere: a field and a list in a dialog. The focus stays in the
// field; the arrow keys choose in the list.

import { messageOf } from './api.ts'
import type { App } from './app.ts'
import { icon } from './components/icon.ts'
import { el } from './dom.ts'
import { createChoices } from './palette/choices.ts'
import { commandEntries, type Entry, passageEntry, queryEntries, titleEntry } from './palette/entries.ts'
import { createFinder, type Found } from './palette/find.ts'
import { recentEntries } from './palette/recent-entries.ts'

const mostRecent = 6
const mostCommands = 5

/** Opens the palette, or leaves it open. */
export function showPalette(app: App): void {
  if (document.querySelector('.palette[open]')) return
  const controller = new AbortController()
  const choices = createChoices(close)
  const ask = createFinder(app.api, show, controller.signal)
  const field = el('input', {
    class: 'palette-field',
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    'aria-label': 'Search, jump or do',
    placeholder: 'Search, jump or do …',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    oninput: () => choose(),
    onkeydown: (event: KeyboardEvent) => choices.onKey(event),
  })
  const status = el('p', { class: 'palette-status', role: 'status' })
  const dialog = el(
    'dialog',
    {
      class: 'palette',
      'aria-label': 'Search, jump or do',
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
  choose()

  function choose(): void {
    const query = field.value.trim()
    choices.expect(query !== '')
    ask(query)
    if (query === '') showGroups([], query)
  }

  function show(found: Found): void {
    showGroups(foundGroups(app, found), found.query)
    if (found.complete) choices.expect(false)
    status.classList.toggle('problem', Boolean(found.error))
    status.textContent = found.error ? messageOf(found.error) : found.complete ? choices.count() : ''
  }

  function showGroups(found: Group[], query: string): void {
    const commands = commandEntries(app, query)
    const own: Group[] =
      query === ''
        ? [
            { name: 'Recent', entries: recentEntries(app, mostRecent) },
            ...found,
            { name: 'Do and go', entries: commands },
          ]
        : [
            // What comes in last stands below, so that nothing moves under the eye.
            ...found.slice(0, 1),
            { name: 'Do and go', entries: commands.slice(0, mostCommands) },
            ...found.slice(1),
            { name: `With “${query}”`, entries: queryEntries(app, query) },
          ]
    choices.show(own.filter(({ entries }) => entries.length > 0))
  }

  function close(): void {
    dialog.close()
  }
}

export type Group = { name: string; entries: Entry[] }

function foundGroups(app: App, { query, titles, passages }: Found): Group[] {
  const recent = query === '' ? recentEntries(app, mostRecent).map(({ key }) => key) : []
  const byTitle = titles
    .flatMap((item) => titleEntry(app, item, query) ?? [])
    .filter(({ key }) => !recent.includes(key))
  const shown = new Set(titles.map(({ entity_id }) => entity_id))
  const inText = passages
    .filter(({ entity_id, snippet }) => !shown.has(entity_id) || snippet.some(({ marked }) => marked))
    .flatMap((item) => passageEntry(app, item, query) ?? [])
  return [
    { name: query === '' ? 'Changed lately' : 'Titles', entries: byTitle },
    { name: 'In the text', entries: inText },
  ]
}
