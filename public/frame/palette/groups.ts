import type { App } from '../../app/app.ts'
import { commandEntries, type Group, passageEntry, queryEntries, titleEntry } from './entries.ts'
import type { Found } from './find.ts'
import { recentEntries } from './recent-entries.ts'

const maxRecent = 6
const maxCommands = 5

/** The groups of the list for a query, with what has been found so far. */
export function entryGroups(app: App, query: string, found: Found | null): Group[] {
  const commands = commandEntries(app, query)
  const results = found ? resultGroups(app, found) : []
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

function resultGroups(app: App, { query, titles, passages }: Found): Group[] {
  const recent = query === '' ? recentEntries(app, maxRecent).map(({ key }) => key) : []
  const byTitle = titles
    .flatMap((item) => titleEntry(app, item, query) ?? [])
    .filter(({ key }) => !recent.includes(key))
  const shown = new Set(titles.map(({ entity_id }) => entity_id))
  const inText = passages
    .filter(({ entity_id, snippet }) => !shown.has(entity_id) || snippet.some(({ marked }) => marked))
    .flatMap((item) => passageEntry(app, item, query) ?? [])
  return [
    { name: query === '' ? 'Recently edited' : 'Titles', entries: byTitle },
    { name: 'Passages', entries: inText },
  ]
}
