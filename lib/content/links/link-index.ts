// The index of links: the names that entities answer to, and where the links of their texts lead, updated in the
// caller's transaction. Afterwards every link leads to what is best for it (core/text/links/resolve-link.ts), in whatever
// order things were written.

import { maxLinks } from '../../contract/limits.ts'
import type { LinkAim } from '../../core/text/links/read-destination.ts'
import { readLinks } from '../../core/text/links/read-links.ts'
import {
  isOpenPath,
  leadsByPath,
  namesOfPath,
  namesSought,
  rankOf,
} from '../../core/text/links/resolve-link.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { baseName } from '../../core/text/paths.ts'
import { otherNames } from '../../core/text/properties/line-properties.ts'
import { aliasesOf, readProperties } from '../../core/text/properties/read-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createLinksRepo, type LinkRow } from '../../db/repos/links.ts'
import {
  createNamesRepo,
  type EntityName,
  type NamedEntity,
  type Place,
  type PlacedEntity,
} from '../../db/repos/names.ts'
import { readsLabelFirst } from './label-order.ts'

/** What of an entity the index depends on. */
export type IndexedEntity = {
  title: string
  text: string
  /** Null for what is neither a page nor a file. */
  path: string | null
  /** Paths by which an earlier export knew it. */
  formerPaths?: readonly string[] | undefined
}

export function createLinkIndex(tx: Queryable) {
  const links = createLinksRepo(tx)
  const names = createNamesRepo(tx)

  return {
    /** After a create. */
    async create(place: Place, entity: IndexedEntity): Promise<void> {
      const given = namesOf(entity)
      await names.insertNames(place, given)
      await settle(place.space_id, await links.listSeeking(place.space_id, soughtBy(given)))
      await insertLinks(place, entity)
    },

    /** After an update of its text. */
    async update(place: Place, entity: IndexedEntity, isMoved = false): Promise<void> {
      await this.rename(place, entity, isMoved)
      await links.removeLinks(place)
      await insertLinks(place, entity)
    },

    /** After an update of names or path alone. */
    async rename(place: Place, entity: IndexedEntity, isMoved = false): Promise<void> {
      const { space_id, entity_id } = place
      const { gained, lost } = await replaceNames(place, namesOf(entity))
      if (!isMoved && gained.length + lost.length === 0) return
      const near = await links.listRows(space_id, [entity_id], isMoved ? 'both' : 'to')
      const sought = soughtBy(isMoved ? namesOf(entity) : gained)
      await settle(space_id, [...near, ...(await links.listSeeking(space_id, sought))])
    },

    /** After a move of what lies in a folder. */
    async move(spaceId: string, moved: readonly PlacedEntity[]): Promise<void> {
      const gained: EntityName[] = []
      for (const { path, ...entity } of moved) {
        const given = namesOfPath(path).map((name) => ({ name, source: 'path' as const }))
        await replaceNames({ space_id: spaceId, ...entity }, given, ['path'])
        gained.push(...given)
      }
      const ids = moved.map(({ entity_id }) => entity_id)
      const near = await links.listRows(spaceId, ids, 'both')
      await settle(spaceId, [...near, ...(await links.listSeeking(spaceId, soughtBy(gained)))])
    },

    /** After a delete: its names lead nowhere, and links to it wait for the next entity of that name. */
    async remove(place: Place): Promise<void> {
      await names.setNamesHidden(place, true)
      await settle(place.space_id, await links.listRows(place.space_id, [place.entity_id], 'to'))
      await links.removeLinks(place)
    },

    /** After a restore: every name that it had leads to it again. */
    async restore(place: Place, entity: IndexedEntity): Promise<void> {
      await names.setNamesHidden(place, false)
      await replaceNames(place, namesOf(entity))
      const now = await names.listNames(place)
      await settle(place.space_id, await links.listSeeking(place.space_id, soughtBy(now)))
      await insertLinks(place, entity)
    },

    /** Lets an entity answer to names that it had, wherever nothing else does. */
    async keepNames(place: Place, former: readonly string[]): Promise<void> {
      const kept = former.map((name) => ({ name, source: 'former' as const }))
      await names.insertNames(place, kept)
      await settle(place.space_id, await links.listSeeking(place.space_id, soughtBy(kept)))
    },
  }

  async function insertLinks(place: Place, { text, path }: IndexedEntity): Promise<void> {
    const labelFirst = await readsLabelFirst(tx, place.space_id, { text, path })
    const written = readLinks(text, { labelFirst })
      .filter(({ kind }) => kind !== 'definition')
      // One more says that there are more.
      .slice(0, maxLinks + 1)
    const resolve = await createResolver(
      tx,
      place.space_id,
      written.map((aim) => ({ aim, holder: path })),
    )
    const rows = written.map(({ form, target, label, heading, embed }) => {
      const aim = { form, target }
      const isOwn = form === 'wiki' && normalizeName(target) === ''
      const resolved = resolve(aim, path)
      const name = linkName(aim, path, resolved)
      const to = isOwn ? place : resolved
      const [to_type, to_id] = [to?.entity_type ?? null, to?.entity_id ?? null]
      return { ...aim, label, heading, embed, name, to_type, to_id }
    })
    await links.insertLinks(place, rows)
  }

  async function settle(spaceId: string, rows: readonly LinkRow[]): Promise<void> {
    if (rows.length === 0) return
    const asked = rows.map((row) => ({ aim: row, holder: row.holder }))
    const resolve = await createResolver(tx, spaceId, asked)
    const unique = new Map(rows.map((row) => [`${row.from_id} ${row.ordinal}`, row]))
    const changed = [...unique.values()].map((row) => {
      const to = resolve(row, row.holder)
      const { from_id, ordinal } = row
      const [to_type, to_id] = [to?.entity_type ?? null, to?.entity_id ?? null]
      return { from_id, ordinal, name: linkName(row, row.holder, to), to_type, to_id, was: row }
    })
    await links.setTargets(
      spaceId,
      changed.filter(({ was, name, to_id }) => was.name !== name || was.to_id !== to_id),
    )
  }

  async function replaceNames(
    place: Place,
    given: readonly EntityName[],
    sources: readonly EntityName['source'][] = ['title', 'alias', 'path'],
  ) {
    const before = (await names.listNames(place)).filter(({ source }) => sources.includes(source))
    const keys = { before: new Set(before.map(keyOf)), given: new Set(given.map(keyOf)) }
    const gained = given.filter((name) => !keys.before.has(keyOf(name)))
    const lost = before.filter((name) => !keys.given.has(keyOf(name)))
    await names.removeNames(place, lost)
    await names.insertNames(place, gained)
    return { gained, lost }
  }
}

const keyOf = ({ source, name }: EntityName) => `${source} ${name}`

/**
 * The one name under which a link is stored; links by other spellings of it are found by that, too. A path that may lead to
 * several places waits for all files of its name, until it leads where its text says.
 */
function linkName(aim: LinkAim, holder: string | null, to: Resolved | null): string {
  const sought = namesSought(aim, holder)
  if (aim.form === 'wiki') return sought[0] ?? ''
  if (!isOpenPath(aim)) return sought.at(-1) ?? ''
  const isExact = to !== null && to.path !== null && leadsByPath(aim, holder, to.path)
  return (isExact ? sought[0] : normalizeName(baseName(aim.target))) ?? ''
}

/** The names by which links may look for something that answers to `names`: of `a/b` also `b`. */
function soughtBy(names: readonly EntityName[]): string[] {
  const each = names.flatMap(({ name }) => [name, name.slice(name.lastIndexOf('/') + 1)])
  return [...new Set(each)]
}

/** Every name that an entity answers to. */
function namesOf({ title, text, path, formerPaths = [] }: IndexedEntity): EntityName[] {
  const { yaml, content } = splitFrontMatter(text)
  const aliases = [...aliasesOf(readProperties(yaml).properties), ...otherNames(title, content)]
  const all: EntityName[] = [
    { source: 'title' as const, name: normalizeName(title) },
    ...aliases.map((alias) => ({ source: 'alias' as const, name: normalizeName(alias) })),
    ...(path === null ? [] : namesOfPath(path)).map((name) => ({ source: 'path' as const, name })),
    ...formerPaths
      .flatMap((former) => [normalizeName(former), ...namesOfPath(former)])
      .map((name) => ({
        source: 'former' as const,
        name,
      })),
  ]
  return [...new Map(all.filter(({ name }) => name !== '').map((name) => [keyOf(name), name])).values()]
}

export type Resolved = { entity_type: string; entity_id: string; rank: string; path: string | null }

type Asked = { aim: LinkAim; holder: string | null }

/** Loads what answers to these links, and resolves each. */
export async function createResolver(tx: Queryable, spaceId: string, asked: readonly Asked[]) {
  const sought = new Set(asked.flatMap(({ aim, holder }) => namesSought(aim, holder)))
  const byName = Map.groupBy(await createNamesRepo(tx).listNamed(spaceId, [...sought]), ({ name }) => name)
  const known = new Map<string, Resolved | null>()

  return (aim: LinkAim, holder: string | null): Resolved | null => {
    const key = `${aim.form} ${holder ?? ''}\n${aim.target}`
    const found = known.get(key)
    if (found !== undefined) return found
    const resolved = resolveAmong(
      aim,
      holder,
      namesSought(aim, holder).flatMap((name) => byName.get(name) ?? []),
    )
    known.set(key, resolved)
    return resolved
  }
}

function resolveAmong(aim: LinkAim, holder: string | null, named: readonly NamedEntity[]): Resolved | null {
  let best: Resolved | null = null
  for (const { entity_type, entity_id, ...candidate } of named) {
    const rank = rankOf(aim, holder, { ...candidate, isPage: entity_type === 'page' })
    const isBetter =
      rank !== null &&
      (best === null || rank < best.rank || (rank === best.rank && entity_id < best.entity_id))
    if (isBetter) best = { entity_type, entity_id, rank, path: candidate.path }
  }
  return best
}

/** What a name leads to from anywhere. */
export async function resolveName(db: Queryable, spaceId: string, name: string): Promise<Resolved | null> {
  const aim = { form: 'wiki', target: name } as const
  return (await createResolver(db, spaceId, [{ aim, holder: null }]))(aim, null)
}
