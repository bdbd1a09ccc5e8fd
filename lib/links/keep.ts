import type { Queryable } from '../db/pool.ts'
import { createLinksRepo, type EntityName } from '../db/repos/links.ts'
import { aliasesOf, splitFrontMatter } from '../text/front-matter.ts'
import { extractLinks } from './extract.ts'
import { normalizeName, pathNames } from './normalize-name.ts'

type Place = { space_id: string; entity_type: string; entity_id: string }

/**
 * Keeps the names and links of entities in step with their text, inside the caller's transaction. Afterwards every
 * link leads to the best of those who answer to its name, in whatever order they came.
 */
export function createLinkKeeper(tx: Queryable) {
  const links = createLinksRepo(tx)

  return {
    /** After a create; `paths` are those of an imported file. */
    async begin(place: Place, title: string, text: string, paths: readonly string[] = []): Promise<void> {
      const names = [...namesIn(title, text), ...namesOfPaths(paths)]
      await links.insertNames(place, names)
      await settle(place, names)
      await links.insertLinks(place, extractLinks(text))
    },

    /** After an update or a restore. */
    async keep(place: Place, title: string, text: string): Promise<void> {
      const names = namesIn(title, text)
      await links.replaceNames(place, ['title', 'alias'], names)
      await links.releaseLinks(place)
      await settle(place, names)
      await links.removeLinks(place)
      await links.insertLinks(place, extractLinks(text))
    },

    /** After a delete: it answers to no name, and links to it wait for whoever takes its name. */
    async forget(place: Place): Promise<void> {
      await links.setNamesHidden(place, true)
      await links.releaseLinks(place)
      await links.removeLinks(place)
    },

    /** After a restore, before `keep`: it answers to its names again. */
    async recall(place: Place): Promise<void> {
      await links.setNamesHidden(place, false)
    },

    /** Gives an imported entity the names of its path in the folder: more than one when it stands for a folder too. */
    async keepPath(place: Place, ...paths: string[]): Promise<void> {
      const names = namesOfPaths(paths)
      await links.replaceNames(place, ['path'], names)
      await links.releaseLinks(place)
      await settle(place, names)
    },

    /**
     * For a page that stands for a folder and says nothing: it lets whoever has the title go first. Once it is edited,
     * its title counts like any other.
     */
    async yieldTitle(place: Place, title: string): Promise<void> {
      await links.replaceNames(place, ['title'], [])
      await links.settleLinks(place.space_id, [normalizeName(title)])
    },
  }

  async function settle(place: Place, names: EntityName[]): Promise<void> {
    await links.settleLinks(place.space_id, [...new Set(names.map(({ name }) => name))])
  }
}

function namesIn(title: string, text: string): EntityName[] {
  const aliases = aliasesOf(splitFrontMatter(text).properties)
  const names = [
    { source: 'title' as const, name: normalizeName(title) },
    ...aliases.map((alias) => ({ source: 'alias' as const, name: normalizeName(alias) })),
  ]
  return names.filter(({ name }) => name !== '')
}

function namesOfPaths(paths: readonly string[]): EntityName[] {
  return [...new Set(paths.flatMap(pathNames))].map((name) => ({ source: 'path' as const, name }))
}
