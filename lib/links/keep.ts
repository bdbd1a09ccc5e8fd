import type { Queryable } from '../db/pool.ts'
import { createLinksRepo } from '../db/repos/links.ts'
import { aliasesOf, splitFrontMatter } from '../text/front-matter.ts'
import { extractLinks } from './extract.ts'
import { normalizeName, pathNames } from './normalize-name.ts'

type Place = { space_id: string; entity_type: string; entity_id: string }

/** Keeps the names and links of entities in step with their text, inside the caller's transaction. */
export function createLinkKeeper(tx: Queryable) {
  const links = createLinksRepo(tx)

  return {
    /** After a create, an update or a restore. */
    async keep(place: Place, title: string, text: string): Promise<void> {
      const aliases = aliasesOf(splitFrontMatter(text).properties)
      await links.replaceNames(
        place,
        ['title', 'alias'],
        [
          { source: 'title' as const, name: normalizeName(title) },
          ...aliases.map((alias) => ({ source: 'alias' as const, name: normalizeName(alias) })),
        ].filter(({ name }) => name !== ''),
      )
      await links.releaseLinks(place)
      await links.claimLinks(place)
      await links.replaceLinks(place, extractLinks(text))
    },

    /** After a delete: it answers to no name, and links to it wait for whoever takes its name. */
    async forget(place: Place): Promise<void> {
      await links.setNamesHidden(place, true)
      await links.releaseLinks(place)
      await links.replaceLinks(place, [])
    },

    /** After a restore, before `keep`: it answers to its names again. */
    async recall(place: Place): Promise<void> {
      await links.setNamesHidden(place, false)
    },

    /** Gives an imported entity the names of its path in the folder. */
    async keepPath(place: Place, path: string): Promise<void> {
      const names = pathNames(path).map((name) => ({ source: 'path' as const, name }))
      await links.replaceNames(place, ['path'], names)
      await links.claimLinks(place)
    },
  }
}
