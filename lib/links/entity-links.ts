import type { Queryable } from '../db/pool.ts'
import { createLinksRepo, type EntityName } from '../db/repos/links.ts'
import { splitFrontMatter } from '../text/front-matter.ts'
import { normalizeName, pathNames } from '../text/normalize-name.ts'
import { aliasesOf, readProperties } from '../text/properties/read-properties.ts'
import { extractLinks } from './extract.ts'

type Place = { space_id: string; entity_type: string; entity_id: string }

/**
 * The names by which entities are linked, and the links in their text, updated in the caller's transaction. Afterwards
 * every link resolves to the best entity of its name, in whatever order they were written.
 */
export function createEntityLinks(tx: Queryable) {
  const links = createLinksRepo(tx)

  return {
    /** After a create; `paths` are those of an imported file. */
    async create(place: Place, title: string, text: string, paths: readonly string[] = []): Promise<void> {
      const names = [...namesIn(title, text), ...namesOfPaths(paths)]
      await links.insertNames(place, names)
      await resolveLinks(place, names)
      await links.insertLinks(place, extractLinks(text))
    },

    /** After an update or a restore. */
    async update(place: Place, title: string, text: string): Promise<void> {
      const names = namesIn(title, text)
      await links.replaceNames(place, ['title', 'alias'], names)
      await links.releaseLinks(place)
      await resolveLinks(place, names)
      await links.removeLinks(place)
      await links.insertLinks(place, extractLinks(text))
    },

    /** After a delete: its names resolve to nothing, and links to it wait for the next entity of that name. */
    async remove(place: Place): Promise<void> {
      await links.setNamesHidden(place, true)
      await links.releaseLinks(place)
      await links.removeLinks(place)
    },

    /** After a restore, before `update`: its names resolve to it again. */
    async restore(place: Place): Promise<void> {
      await links.setNamesHidden(place, false)
    },

    /** Replaces the names that an imported entity has by its paths; it has two when it also represents a folder. */
    async replacePaths(place: Place, ...paths: string[]): Promise<void> {
      const names = namesOfPaths(paths)
      await links.replaceNames(place, ['path'], names)
      await links.releaseLinks(place)
      await resolveLinks(place, names)
    },

    /**
     * For an empty page that represents a folder: any other entity of that title takes precedence. Once it is edited, its
     * title counts like any other.
     */
    async releaseTitle(place: Place, title: string): Promise<void> {
      await links.replaceNames(place, ['title'], [])
      await links.settleLinks(place.space_id, [normalizeName(title)])
    },
  }

  async function resolveLinks(place: Place, names: EntityName[]): Promise<void> {
    await links.settleLinks(place.space_id, [...new Set(names.map(({ name }) => name))])
  }
}

function namesIn(title: string, text: string): EntityName[] {
  const aliases = aliasesOf(readProperties(splitFrontMatter(text).yaml).properties)
  const names = [
    { source: 'title' as const, name: normalizeName(title) },
    ...aliases.map((alias) => ({ source: 'alias' as const, name: normalizeName(alias) })),
  ]
  return names.filter(({ name }) => name !== '')
}

function namesOfPaths(paths: readonly string[]): EntityName[] {
  return [...new Set(paths.flatMap(pathNames))].map((name) => ({ source: 'path' as const, name }))
}
