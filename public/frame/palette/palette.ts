// Search and commands, from anywhere: a field and a list in a dialog. The focus stays in the field; the arrow keys choose
// in the list.

import type { List } from '../../../lib/contract/list.ts'
import type { SearchItem, Suggestion } from '../../../lib/contract/space/search.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { loadRecentItems } from '../../app/storage/recent-items.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { kindLabel, withQuery } from '../../ui/words/addresses.ts'
import { createChoices } from './choices.ts'
import { commandEntries, type Entry, type Group, passageEntry, queryEntries, titleEntry } from './entries.ts'

/** Opens the palette with what was typed before it was there; where it is open, that is added to its field. */
export function showPalette(app: App, typed: string): void {
  const open = document.querySelector<HTMLInputElement>('.palette[open] .palette-field')
  if (open) {
    insert(open, typed)
    return
  }
  /** The newest results of a query. */
  let last: Results | null = null
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

  function show(all: Results): void {
    const ordered = { ...all, titles: hereFirst(all.titles), passages: hereFirst(all.passages) }
    last = ordered.query === '' ? null : ordered
    choices.show(entryGroups(app, ordered.query, ordered))
    if (ordered.complete) choices.expect(false)
    status.classList.toggle('problem', Boolean(ordered.error))
    status.textContent = ordered.error ? messageOf(ordered.error) : ordered.complete ? choices.count() : ''
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

// Searches while the query is typed: titles at once, passages a moment later. Outdated requests are cancelled.

type Results = {
  query: string
  titles: Suggestion[]
  passages: SearchItem[]
  /** Whether all results of this query have arrived. */
  complete: boolean
  /** The failure of a request. */
  error: unknown
}

/** The pause in typing after which passages are searched. */
const debounceMs = 30

const maxTitles = 6

const maxPassages = 6

/** Returns a search that calls `onFound` as results arrive; only for the newest query. */
function createFinder(api: Pick<Api, 'get'>, onFound: (results: Results) => void, end: AbortSignal) {
  let searching = new AbortController()
  end.addEventListener('abort', () => searching.abort(), { once: true })

  return function find(query: string): void {
    searching.abort()
    searching = new AbortController()
    const { signal } = searching
    let results: Results = { query, titles: [], passages: [], complete: false, error: null }
    const report = (more: Partial<Results>) => {
      if (signal.aborted || end.aborted) return
      results = { ...results, ...more }
      onFound(results)
    }
    const fail = (error: unknown) => report({ error, complete: true })
    const titles = api
      .get<{ items: Suggestion[] }>(withQuery('/api/suggest', { q: query, limit: maxTitles }), { signal })
      .then(({ items }) => report({ titles: items, complete: query === '' }))
    titles.catch(fail)
    if (query === '') return
    delay(debounceMs, signal)
      .then(async () => {
        if (signal.aborted) return
        const params = { q: query, typing: true, group: 'entity', snippet: 130, limit: maxPassages }
        const path = withQuery('/api/search', params)
        const { items } = await api.get<List<SearchItem>>(path, { signal })
        await titles
        report({ passages: items, complete: true })
      })
      .catch(fail)
  }
}

const delay = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const maxRecent = 6

const maxCommands = 5

/** The groups of the list for a query, with what has been found so far. */
function entryGroups(app: App, query: string, matches: Results | null): Group[] {
  const commands = commandEntries(app, query)
  const results = matches ? resultGroups(app, matches) : []
  const groups: Group[] =
    query === ''
      ? [
          { name: 'Recent', entries: recentEntries(app, maxRecent) },
          ...results,
          { name: 'Commands', entries: commands },
        ]
      : [
          // What arrives last is shown last, so that nothing moves.
          ...results.slice(0, 1),
          { name: 'Commands', entries: commands.slice(0, maxCommands) },
          ...results.slice(1),
          { name: `Use “${query}”`, entries: queryEntries(app, query) },
        ]
  return groups.filter(({ entries }) => entries.length > 0)
}

function resultGroups(app: App, { query, titles, passages }: Results): Group[] {
  const recent = query === '' ? recentEntries(app, maxRecent).map(({ key }) => key) : []
  const byTitle = titles
    .flatMap((item) => titleEntry(app, item, query) ?? [])
    .filter(({ key }) => !recent.includes(key))
  const titleIds = new Set(titles.map(({ entity_id }) => entity_id))
  const inText = passages
    .filter(({ entity_id, snippet }) => !titleIds.has(entity_id) || snippet.some(({ marked }) => marked))
    .flatMap((item) => passageEntry(app, item, query) ?? [])
  return [
    { name: query === '' ? 'Recently edited' : 'Titles', entries: byTitle },
    { name: 'Passages', entries: inText },
  ]
}

/** The entities viewed last, without the one that is shown. */
function recentEntries(app: App, max: number): Entry[] {
  const { path, space } = app.state.get()
  return loadRecentItems()
    .filter(({ href }) => href !== path)
    .slice(0, max)
    .map(({ href, type, title, space: name }) => ({
      key: href,
      icon: kindIcon(type),
      title,
      hint: [kindLabel(type), name !== space?.name && name].filter(Boolean).join(' · '),
      run: () => app.navigate(href),
    }))
}
