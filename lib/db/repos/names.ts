// The names and paths that entities answer to in links.

import type { Queryable } from '../pool.ts'

type NameSource = 'title' | 'alias' | 'path' | 'former'

export type EntityName = { name: string; source: NameSource }

export type Place = { space_id: string; entity_type: string; entity_id: string }

/** An entity that answers to a name, with its path. */
export type NamedEntity = EntityName & { entity_type: string; entity_id: string; path: string | null }

export type PlacedEntity = { entity_type: string; entity_id: string; path: string }

/** Names are normalized, and paths folded, by the caller. */
export function createNamesRepo(db: Queryable) {
  return {
    /** Every name that an entity has, those of one in the trash too. */
    async listNames(place: Place): Promise<EntityName[]> {
      const { rows } = await db.query<EntityName>(
        'select name, source from entity_names where space_id = $1 and entity_id = $2 order by source, name',
        [place.space_id, place.entity_id],
      )
      return rows
    },

    async insertNames(place: Place, names: readonly EntityName[]): Promise<void> {
      if (names.length === 0) return
      await db.query(
        `insert into entity_names (space_id, entity_type, entity_id, source, name)
         select $1, $2, $3, source, name
         from unnest($4::text[], $5::text[]) as new (source, name)
         on conflict do nothing`,
        [
          place.space_id,
          place.entity_type,
          place.entity_id,
          names.map(({ source }) => source),
          names.map(({ name }) => name),
        ],
      )
    },

    async removeNames(place: Place, names: readonly EntityName[]): Promise<void> {
      if (names.length === 0) return
      await db.query(
        `delete from entity_names
         using unnest($3::text[], $4::text[]) as gone (source, name)
         where space_id = $1 and entity_id = $2 and entity_names.source = gone.source
           and entity_names.name = gone.name`,
        [place.space_id, place.entity_id, names.map(({ source }) => source), names.map(({ name }) => name)],
      )
    },

    /** Hides the names of a deleted entity, or shows them again; returns them. */
    async setNamesHidden(place: Place, hidden: boolean): Promise<string[]> {
      const { rows } = await db.query<{ name: string }>(
        'update entity_names set hidden = $3 where space_id = $1 and entity_id = $2 returning name',
        [place.space_id, place.entity_id, hidden],
      )
      return [...new Set(rows.map(({ name }) => name))]
    },

    /** Those of the names that something in the Space answers to, or would if it were restored. */
    async listTaken(spaceId: string, names: readonly string[]): Promise<string[]> {
      const { rows } = await db.query<{ name: string }>(
        'select distinct name from entity_names where space_id = $1 and name = any($2)',
        [spaceId, names],
      )
      return rows.map(({ name }) => name)
    },

    /** What answers to any of the names. */
    async listNamed(spaceId: string, names: readonly string[]): Promise<NamedEntity[]> {
      if (names.length === 0) return []
      const { rows } = await db.query<NamedEntity>(
        `select named.name, named.source, named.entity_type, named.entity_id,
           coalesce(pages.path, source_docs.path) as path
         from entity_names named
         left join pages on named.entity_type = 'page' and pages.id = named.entity_id
         left join source_docs on named.entity_type = 'source_doc' and source_docs.id = named.entity_id
         where named.space_id = $1 and named.name = any($2) and not named.hidden`,
        [spaceId, names],
      )
      return rows
    },

    /** Whose the given paths are. */
    async listPlaced(
      spaceId: string,
      keys: readonly string[],
    ): Promise<{ path_key: string; entity_type: string; entity_id: string }[]> {
      const { rows } = await db.query<{ path_key: string; entity_type: string; entity_id: string }>(
        `select path_key, entity_type, entity_id
         from entity_paths
         where space_id = $1 and path_key = any($2)`,
        [spaceId, keys],
      )
      return rows
    },

    /** What lies in a folder, at any depth; `folderKey` ends in a slash. */
    async listWithin(spaceId: string, folderKey: string): Promise<PlacedEntity[]> {
      const { rows } = await db.query<PlacedEntity>(
        `select entity_paths.entity_type, entity_paths.entity_id, coalesce(pages.path, source_docs.path) as path
         from entity_paths
         left join pages on pages.id = entity_paths.entity_id
         left join source_docs on source_docs.id = entity_paths.entity_id
         where entity_paths.space_id = $1 and path_key > $2 and path_key < $3
         order by path_key`,
        // "0" is what follows the slash.
        [spaceId, folderKey, `${folderKey.slice(0, -1)}0`],
      )
      return rows.filter(({ path }) => path !== null)
    },

    /** Takes the path of an entity, in place of the one that it had. */
    async setPathKey(place: Place, key: string): Promise<void> {
      await db.query(
        `insert into entity_paths (space_id, path_key, entity_type, entity_id)
         values ($1, $4, $2, $3)
         on conflict (entity_id) do update
         set path_key = excluded.path_key`,
        [place.space_id, place.entity_type, place.entity_id, key],
      )
    },

    async removePathKey(place: Place): Promise<void> {
      await db.query('delete from entity_paths where space_id = $1 and entity_id = $2', [
        place.space_id,
        place.entity_id,
      ])
    },

    /** Sets the path of a page or a file without a new version: what lies in a folder moves with it. */
    async setPath({ space_id, entity_type, entity_id }: Place, path: string): Promise<void> {
      const table = entity_type === 'page' ? 'pages' : 'source_docs'
      await db.query(`update ${table} set path = $3 where space_id = $1 and id = $2`, [
        space_id,
        entity_id,
        path,
      ])
    },

    /** Pages and files that have no path yet, parents first as far as ids tell. */
    async listUnplaced(limit: number): Promise<Place[]> {
      const { rows } = await db.query<Place>(
        `(select space_id, 'page' as entity_type, id as entity_id
          from pages
          where path is null
          order by id
          limit $1)
         union all
         (select space_id, 'source_doc' as entity_type, id as entity_id
          from source_docs
          where path is null
          order by id
          limit $1)
         limit $1`,
        [limit],
      )
      return rows
    },

    /** The path of a page or a file; null for one that has none. */
    async findPath(spaceId: string, id: string): Promise<string | null> {
      const { rows } = await db.query<{ path: string | null }>(
        `select path from pages where space_id = $1 and id = $2
         union all
         select path from source_docs where space_id = $1 and id = $2`,
        [spaceId, id],
      )
      return rows[0]?.path ?? null
    },

    /** The paths of pages and files that have one, by id. */
    async listPaths(spaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await db.query<{ id: string; path: string }>(
        `select id, path from pages where space_id = $1 and id = any($2) and path is not null
         union all
         select id, path from source_docs where space_id = $1 and id = any($2) and path is not null`,
        [spaceId, ids],
      )
      return new Map(rows.map(({ id, path }) => [id, path]))
    },

    /** The path of the file that an import made an entity of. */
    async findImported(spaceId: string, entityId: string): Promise<string | null> {
      const { rows } = await db.query<{ path: string }>(
        `select path
         from import_files
         where space_id = $1 and entity_id = $2
         order by path like '%/', imported_at, path
         limit 1`,
        [spaceId, entityId],
      )
      return rows[0]?.path ?? null
    },
  }
}
