import type { Kind } from '../../contract/entities/kind.ts'
import type { Link } from '../../contract/entities.ts'
import { maxBacklinks, maxLinks } from '../../contract/limits.ts'
import { isDrawingPath, picturePaths } from '../../core/text/drawings.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { pathKey } from '../../core/text/paths.ts'
import type { Queryable } from '../pool.ts'
import type { Place } from './names.ts'

/** A link as it is stored. */
type StoredLink = {
  form: 'wiki' | 'path'
  /** As written, decoded. */
  target: string
  label: string | null
  heading: string | null
  embed: boolean
  /** What it looks up; empty for a part of its own text. */
  name: string
  to_type: string | null
  to_id: string | null
}

/** A link with what resolves it. */
export type LinkRow = Pick<StoredLink, 'form' | 'target' | 'name' | 'to_type' | 'to_id'> & {
  from_type: string
  from_id: string
  ordinal: number
  /** The path of the text that holds it. */
  holder: string | null
}

type LinkTargetRow = Pick<LinkRow, 'from_id' | 'ordinal' | 'name' | 'to_type' | 'to_id'>

/** Links between entities. What they look up and where they lead is worked out by the caller. */
export function createLinksRepo(db: Queryable) {
  return {
    async removeLinks(place: Place): Promise<void> {
      await db.query('delete from links where space_id = $1 and from_id = $2', [
        place.space_id,
        place.entity_id,
      ])
    },

    /** Adds the links of an entity that has none. */
    async insertLinks(place: Place, links: readonly StoredLink[]): Promise<void> {
      if (links.length === 0) return
      const column = <Name extends keyof StoredLink>(name: Name) => links.map((link) => link[name])
      await db.query(
        `insert into links
           (space_id, from_type, from_id, ordinal, form, target, name, label, heading, embed, to_type, to_id)
         select $1, $2, $3, ordinal, form, target, name, label, heading, embed, to_type, to_id
         from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::text[],
           $11::uuid[])
           with ordinality as link (form, target, name, label, heading, embed, to_type, to_id, ordinal)`,
        [
          ...[place.space_id, place.entity_type, place.entity_id],
          ...[column('form'), column('target'), column('name'), column('label'), column('heading')],
          ...[column('embed'), column('to_type'), column('to_id')],
        ],
      )
    },

    /** The links that look up one of the names. */
    async listSeeking(spaceId: string, names: readonly string[]): Promise<LinkRow[]> {
      if (names.length === 0) return []
      const { rows } = await db.query<LinkRow>(`${linkRows} and links.name = any($2)`, [spaceId, names])
      return rows
    },

    /** The links in these entities and to them, by `of`. */
    async listRows(spaceId: string, ids: readonly string[], of: 'from' | 'to' | 'both'): Promise<LinkRow[]> {
      const conditions = { from: 'from_id = any($2)', to: 'to_id = any($2)' }
      const condition = of === 'both' ? `(${conditions.from} or ${conditions.to})` : conditions[of]
      const { rows } = await db.query<LinkRow>(
        `${linkRows} and ${condition}
         order by links.from_id, ordinal`,
        [spaceId, ids],
      )
      return rows
    },

    /** Sets where links lead, and what they look up. */
    async setTargets(spaceId: string, rows: readonly LinkTargetRow[]): Promise<void> {
      if (rows.length === 0) return
      await db.query(
        `update links
         set name = given.name, to_type = given.to_type, to_id = given.to_id
         from unnest($2::uuid[], $3::integer[], $4::text[], $5::text[], $6::uuid[])
           as given (from_id, ordinal, name, to_type, to_id)
         where links.space_id = $1 and links.from_id = given.from_id and links.ordinal = given.ordinal`,
        [
          spaceId,
          rows.map(({ from_id }) => from_id),
          rows.map(({ ordinal }) => ordinal),
          rows.map(({ name }) => name),
          rows.map(({ to_type }) => to_type),
          rows.map(({ to_id }) => to_id),
        ],
      )
    },

    /** Lets the links of the pages in a folder be read again; `folderKey` ends in a slash, or is empty. */
    async forgetReading(spaceId: string, folderKey: string): Promise<void> {
      await db.query(
        `update links
         set form = null
         from entity_paths
         where links.space_id = $1 and entity_paths.space_id = $1 and entity_paths.entity_id = links.from_id
           and entity_paths.entity_type = 'page' and starts_with(path_key, $2)`,
        [spaceId, folderKey],
      )
    },

    /** Entities with links that an earlier release wrote, or that are read in another way by now. */
    async listUnread(limit: number): Promise<Place[]> {
      const { rows } = await db.query<Place>(
        `select distinct space_id, from_type as entity_type, from_id as entity_id
         from links
         where form is null
         limit $1`,
        [limit],
      )
      return rows
    },

    /** How many links lead to each entity by one of the names, and from how many others, in the order given. */
    async countLinkingBy(
      asked: readonly { space_id: string; entity_id: string; names: readonly string[] }[],
    ): Promise<{ links: number; pages: number }[]> {
      const counts: { links: number; pages: number }[] = []
      for (const { space_id, entity_id, names } of asked) {
        const { rows } = await db.query<{ links: number; pages: number }>(
          `select count(*) as links, count(distinct from_id) as pages
           from links
           where space_id = $1 and to_id = $2 and name = any($3)`,
          [space_id, entity_id, names],
        )
        counts.push(rows[0]!)
      }
      return counts
    },

    /** The links of an entity in their order, at most `maxLinks` of them. */
    async listFrom(spaceId: string, entityId: string): Promise<Link[]> {
      return (await this.listFromAll(spaceId, [entityId])).map(({ from_id, ...link }) => link)
    },

    /** Links of several entities, in their order. */
    async listFromAll(
      spaceId: string,
      entityIds: readonly string[],
    ): Promise<(Link & { from_id: string })[]> {
      const { rows } = await db.query<Omit<Link, 'name'> & { from_id: string }>(
        `select from_id, coalesce(form, 'wiki') as form, coalesce(target, name) as target, label, heading, embed,
           to_type, to_id, coalesce(${titled.map((table) => `${table}.title`).join(', ')}) as to_title,
           coalesce(pages.path, source_docs.path) as to_path
         from links
         ${titled.map((table) => `left join ${table} on ${table}.id = to_id`).join('\n         ')}
         where links.space_id = $1 and from_id = any($2) and ordinal <= ${maxLinks}
         order by from_id, ordinal`,
        [spaceId, entityIds],
      )
      const drawings = rows.flatMap(({ to_path }) => (to_path && isDrawingPath(to_path) ? [to_path] : []))
      const pictures = await this.listPictures(spaceId, drawings)
      return rows.map((row) => {
        const to_picture = pictures.get(row.to_path ?? '')
        const name = normalizeName(row.target.replace(/^(?:\.\.?\/)+/, ''))
        return { ...row, ...(to_picture && { to_picture }), name }
      })
    },

    /** The picture that lies beside each drawing, by the path of the drawing. */
    async listPictures(spaceId: string, paths: readonly string[]): Promise<Map<string, string>> {
      if (paths.length === 0) return new Map()
      const keysOf = (path: string) => picturePaths(path).map(pathKey)
      const { rows } = await db.query<{ path_key: string; id: string }>(
        `select path_key, source_docs.id
         from entity_paths
         join source_docs on source_docs.space_id = $1 and source_docs.id = entity_id
         where entity_paths.space_id = $1 and path_key = any($2) and deleted_at is null`,
        [spaceId, paths.flatMap(keysOf)],
      )
      const ids = new Map(rows.map(({ path_key, id }) => [path_key, id]))
      return new Map(
        paths.flatMap((path) => {
          const key = keysOf(path).find((each) => ids.has(each))
          return key ? [[path, ids.get(key)!]] : []
        }),
      )
    },

    /** Whether an entity has more links than are indexed. */
    async isTruncated(spaceId: string, entityId: string): Promise<boolean> {
      const { rows } = await db.query(
        'select from links where space_id = $1 and from_id = $2 and ordinal > $3 limit 1',
        [spaceId, entityId, maxLinks],
      )
      return rows.length > 0
    },

    /** How many other entities link to each of the given ones; those that nothing links to are left out. */
    async countBacklinks(
      spaceIds: readonly string[],
      entityIds: readonly string[],
    ): Promise<{ space_id: string; id: string; count: number }[]> {
      const { rows } = await db.query<{ space_id: string; id: string; count: number }>(
        `select space_id, to_id as id, count(distinct from_id) as count
         from links
         where space_id = any($1) and to_id = any($2) and from_id <> to_id
         group by space_id, to_id`,
        [spaceIds, entityIds],
      )
      return rows
    },

    /** The pages shown within an entity, and within those, down to so many steps, the nearest first. */
    async listEmbedded(
      spaceId: string,
      entityId: string,
      { steps, limit }: { steps: number; limit: number },
    ): Promise<{ id: string; title: string; path: string | null; body: string }[]> {
      const { rows } = await db.query<{ id: string; title: string; path: string | null; body: string }>(
        `with recursive embedded (id, step) as (
           select to_id, 1
           from links
           where space_id = $1 and from_id = $2 and embed and to_type = 'page'
           union
           select links.to_id, step + 1
           from embedded
           join links on links.space_id = $1 and links.from_id = embedded.id
           where links.embed and links.to_type = 'page' and step < $3
         )
         select pages.id, pages.title, pages.path, pages.body
         from (select id, min(step) as step from embedded group by id) as nearest
         join pages on pages.space_id = $1 and pages.id = nearest.id
         where pages.deleted_at is null and pages.id <> $2
         order by nearest.step, pages.id
         limit $4`,
        [spaceId, entityId, steps, limit],
      )
      return rows
    },

    /** The links of a Space that lead nowhere: where they stand and by what name they look. */
    async listUnresolved(
      spaceId: string,
    ): Promise<{ entity_type: string; entity_id: string; name: string }[]> {
      const { rows } = await db.query<{ entity_type: string; entity_id: string; name: string }>(
        `select distinct from_type as entity_type, from_id as entity_id, coalesce(target, name) as name
         from links
         where space_id = $1 and to_id is null
         order by from_id, name`,
        [spaceId],
      )
      return rows
    },
  }
}

/** The tables of what a link may lead to. */
const titled = ['pages', 'source_docs', 'tasks', 'projects', 'refs', 'resources', 'views']

const linkRows = `select links.from_type, links.from_id, ordinal, coalesce(form, 'wiki') as form,
    coalesce(target, links.name) as target, links.name, to_type, to_id, coalesce(pages.path, source_docs.path) as holder
  from links
  left join pages on links.from_type = 'page' and pages.id = links.from_id
  left join source_docs on links.from_type = 'source_doc' and source_docs.id = links.from_id
  where links.space_id = $1 and links.name <> ''`

export type TitledBacklink = { entity_type: string; entity_id: string; title: string }

/** The entities that link to one, each once, with their titles; what is in the trash is left out. */
export async function listBacklinks(
  db: Queryable,
  kinds: readonly Kind[],
  { space_id, id }: { space_id: string; id: string },
  limit = maxBacklinks,
): Promise<TitledBacklink[]> {
  const titles = kinds.map(
    ({ table, type }) => `select title
       from ${table}
       where from_type = '${type}' and space_id = $1 and id = from_id and deleted_at is null`,
  )
  const { rows } = await db.query<TitledBacklink>(
    `select from_type as entity_type, from_id as entity_id, title
     from (
       select distinct from_type, from_id
       from links
       where space_id = $1 and to_id = $2 and from_id <> $2
       order by from_id limit $3
     ) as linking
     cross join lateral (${titles.join(' union all ')}) as titled
     order by from_id`,
    [space_id, id, limit],
  )
  return rows
}
