import type { Link } from '../../../lib/contract/entities/links.ts'
import { normalizeName } from '../../../lib/text/normalize-name.ts'

/** The links of a text by name, those with a target only. A text names as many as it has, so a search would not do. */
export type LinkFinder = {
  find(name: string): Link | undefined
  /** The one to a file, where several things have that name. */
  findFile(name: string): Link | undefined
}

export function createLinkFinder(links: readonly Link[] = []): LinkFinder {
  // Most texts are rendered in blocks and look up nothing.
  let all: Map<string, Link> | undefined
  let files: Map<string, Link> | undefined

  return {
    find(name) {
      all ??= byName(links)
      return all.get(normalizeName(name))
    },
    findFile(name) {
      files ??= byName(links.filter(({ to_type }) => to_type === 'source_doc'))
      return files.get(normalizeName(name))
    },
  }
}

/** The first of each name. */
const byName = (links: readonly Link[]) =>
  new Map(
    links
      .filter(({ to_id }) => to_id)
      .toReversed()
      .map((link) => [link.name, link]),
  )
