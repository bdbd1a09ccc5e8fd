// Finds the links inside a Markdown text: [[wikilinks]] in all of Obsidian's forms, and Markdown links to files.
// Code, fenced or inline, holds no links.

import type { Kinds } from '../../contract/entities/kinds.ts'
import { maskCode, splitFrontMatter } from '../../core/text/markdown.ts'
import { normalizeName, pathNames } from '../../core/text/normalize-name.ts'
import { aliasesOf, readProperties } from '../../core/text/properties/read-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo, type EntityName, listBacklinks, type TitledBacklink } from '../../db/repos/links.ts'

type ExtractedLink = {
  /** Normalised; empty for a link to a heading of the same text. */
  name: string
  label: string | null
  /** The heading, or `^block`, after the `#`. */
  heading: string | null
  /** `![[…]]`: the target is shown in place. */
  embed: boolean
}

const most = 2000

export const wikilink = /(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/g

export const markdownLink = /(!?)\[([^[\]\n]*)\]\((?:<([^<>\n]+)>|([^()\s<>]+))\)/g

/** The links of a text in the order in which they stand, at most 2,000. */
export function extractLinks(text: string): ExtractedLink[] {
  const { searched } = readLinked(text)
  const found = [
    ...matches(searched, wikilink, readWikilink),
    ...matches(searched, markdownLink, readMarkdownLink),
  ]
  return found
    .toSorted((a, b) => a.index - b.index)
    .slice(0, most)
    .map(({ link }) => link)
}

/** What of a text is searched for links, each character in its place, and where the front matter ends. */
export function readLinked(text: string): { searched: string; start: number } {
  const { raw, content } = splitFrontMatter(text)
  // Front matter is YAML: a wikilink in it counts, a backtick in it is no code.
  return { searched: raw + maskCode(content), start: raw.length }
}

/** The first of them: what is beyond would be cut off behind them in any case. */
function matches(text: string, pattern: RegExp, read: (match: RegExpExecArray) => ExtractedLink | null) {
  const found: { index: number; link: ExtractedLink }[] = []
  for (const match of text.matchAll(pattern)) {
    const link = read(match)
    if (link) found.push({ index: match.index, link })
    if (found.length === most) break
  }
  return found
}

function readWikilink([, bang, target = '', heading, label]: RegExpExecArray): ExtractedLink | null {
  const name = normalizeName(dropEscape(target))
  if (!name && !heading) return null
  return {
    name,
    heading: dropEscape(heading ?? '').trim() || null,
    label: label?.trim() || null,
    embed: bang === '!',
  }
}

function readMarkdownLink([, bang, label, pointed, bare]: RegExpExecArray): ExtractedLink | null {
  const [path = '', heading] = (pointed ?? bare ?? '').split('#')
  const name = fileName(path)
  if (!name) return null
  return { name, heading: heading ? decode(heading) : null, label: label || null, embed: bang === '!' }
}

/** The name that a path in a Markdown link looks for; '' for no file of the folder. */
export function fileName(path: string): string {
  // With a scheme, from the root of a server, or within the page.
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(path)) return ''
  return normalizeName(decode(path).replace(/^(\.\.?\/)+/, ''))
}

// In a table the bar before a label is escaped, and the backslash ends up behind the name.
export const dropEscape = (text: string) => text.replace(/\\$/, '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

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

    /** After an update. */
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

    /** After a restore: every name that it had resolves to it again, whether title, alias, path or former name. */
    async restore(place: Place, text: string): Promise<void> {
      await links.settleLinks(place.space_id, await links.setNamesHidden(place, false))
      await links.insertLinks(place, extractLinks(text))
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

/** What links to an entity, kind by kind, with its title; what is in the trash is left out. */
export async function listTitledBacklinks(
  db: Queryable,
  kinds: Kinds,
  entity: { space_id: string; id: string },
): Promise<TitledBacklink[]> {
  const backlinks = await listBacklinks(db, kinds.all, entity)
  return [...Map.groupBy(backlinks, ({ entity_type }) => entity_type).values()].flat()
}

/** The entities that exist, kind by kind and then in the order given, with their titles; each once. */
export async function withTitles(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  entities: readonly { entity_type: string; entity_id: string }[],
): Promise<TitledBacklink[]> {
  const titled: TitledBacklink[] = []

  for (const [type, group] of Map.groupBy(entities, ({ entity_type }) => entity_type)) {
    const ids = [...new Set(group.map(({ entity_id }) => entity_id))]
    const rows = await createEntitiesRepo(db).listTitles(kinds.get(type), [spaceId], ids)
    const titles = new Map(rows.map(({ id, title }) => [id, title]))
    for (const id of ids) {
      const title = titles.get(id)
      if (title !== undefined) titled.push({ entity_type: type, entity_id: id, title })
    }
  }
  return titled
}
