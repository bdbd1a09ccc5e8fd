// The SQL of every kind. Table and column names come from the kind's definition, never from a request; values are
// always parameters. Every query names the Space, or the Spaces that the actor may enter.

import type { EntityRow, Kind, Origin } from '../../contract/entities/kind.ts'
import type { Trash } from '../../contract/entities.ts'
import type { ListSort } from '../../contract/list.ts'
import type { Queryable } from '../pool.ts'
import { boundedCount } from './page_tree.ts'

type NewEntity = {
  id: string
  space_id: string
  fields: Record<string, unknown>
  actor: string
  origin: Origin
}

type ListFilter = {
  /** One Space, or several. */
  space_id: string | readonly string[]
  status: string | null
  deleted: boolean
  /** Default: newest. */
  sort?: ListSort
  /** What comes after this one. */
  before_id: string | null
  limit: number
}

/** Rows of any kind. Absent is `null`; a deleted one counts as absent unless the name says otherwise. */
export function createEntitiesRepo(db: Queryable) {
  return {
    async find(kind: Kind, spaceId: string, id: string): Promise<EntityRow | null> {
      const { rows } = await db.query<EntityRow>(
        `select ${columns(kind)}
         from ${kind.table}
         where space_id = $1 and id = $2 and deleted_at is null`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** By id alone, within the Spaces given (`null`: any) and in no deleted Space. Deleted rows included. */
    async findWithinSpaces(
      kind: Kind,
      spaceIds: readonly string[] | null,
      id: string,
    ): Promise<EntityRow | null> {
      const { rows } = await db.query<EntityRow>(
        `select ${columns(kind)}
         from ${kind.table}
         where id = $1 and ($2::uuid[] is null or space_id = any($2))
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)`,
        [id, spaceIds],
      )
      return rows[0] ?? null
    },

    /** Whether anything of these kinds has the id, in any Space, deleted ones included. */
    async isTaken(kinds: readonly Kind[], id: string): Promise<boolean> {
      const each = kinds.map(({ table }) => `exists (select from ${table} where id = $1)`)
      const { rows } = await db.query<{ taken: boolean }>(`select ${each.join(' or ')} as taken`, [id])
      return rows[0]!.taken
    },

    /** Locks the row until the transaction ends. Deleted rows included. */
    async lock(kind: Kind, spaceId: string, id: string): Promise<EntityRow | null> {
      const { rows } = await db.query<EntityRow>(
        `select ${columns(kind)}
         from ${kind.table}
         where space_id = $1 and id = $2
         for update`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    async list(kind: Kind, filter: ListFilter): Promise<EntityRow[]> {
      const { key, before, direction } = sorts[filter.sort ?? 'newest']
      const isIn = typeof filter.space_id === 'string' ? '= $1' : '= any($1)'
      const values: unknown[] = [filter.space_id]
      const put = (value: unknown) => `$${values.push(value)}`
      // What is not asked for is not in the statement: a condition that may be empty hides the indexes from the planner.
      const conditions = [
        `deleted_at is ${filter.deleted ? 'not null' : 'null'}`,
        ...(filter.status === null
          ? []
          : [kind.statusField ? `${kind.statusField} = ${put(filter.status)}` : 'false']),
        ...(filter.before_id === null
          ? []
          : [
              `(${key}) ${before} (
                 select ${key} from ${kind.table} seen where seen.space_id ${isIn} and seen.id = ${put(filter.before_id)}
               )`,
            ]),
      ]
      const { rows } = await db.query<EntityRow>(
        `select ${columns(kind)}
         from ${kind.table}
         where space_id ${isIn} and ${conditions.join(' and ')}
         order by ${key.replace(', id', ` ${direction}, id`)} ${direction}
         limit ${put(filter.limit)}`,
        values,
      )
      return rows
    },

    /** The given ones by id, in Spaces that are not deleted. Deleted rows included. */
    async listWithinSpaces(
      kind: Kind,
      spaceIds: readonly string[],
      ids: readonly string[],
      { text }: { text: boolean } = { text: true },
    ): Promise<EntityRow[]> {
      const { rows } = await db.query<EntityRow>(
        `select ${text ? columns(kind) : columns(kind, kind.bodyField)}
         from ${kind.table}
         where space_id = any($1) and id = any($2)
           and exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)`,
        [spaceIds, ids],
      )
      return rows
    },

    /** Id and title of the given ones that exist. */
    async listTitles(
      kind: Kind,
      spaceIds: readonly string[],
      ids: readonly string[],
    ): Promise<{ space_id: string; id: string; title: string }[]> {
      const { rows } = await db.query<{ space_id: string; id: string; title: string }>(
        `select space_id, id, title
         from ${kind.table}
         where space_id = any($1) and id = any($2) and deleted_at is null`,
        [spaceIds, ids],
      )
      return rows
    },

    /** How many refer to each of the given ones by a reference of theirs; those that none refers to are left out. */
    async countReferring(
      kind: Kind,
      column: string,
      spaceIds: readonly string[],
      ids: readonly string[],
    ): Promise<{ space_id: string; id: string; count: number }[]> {
      const { rows } = await db.query<{ space_id: string; id: string; count: number }>(
        `select space_id, ${column} as id, count(*) as count
         from ${kind.table}
         where space_id = any($1) and ${column} = any($2) and deleted_at is null
         group by space_id, ${column}`,
        [spaceIds, ids],
      )
      return rows
    },

    /** How many there are of each kind, by type; of each at most `maxCounted` + 1. */
    async countAll(kinds: readonly Kind[], spaceId: string): Promise<Record<string, number>> {
      const counts = kinds.map(
        ({ type, table }) =>
          `select '${type}' as type, ${boundedCount(`from ${table} where space_id = $1 and deleted_at is null`)} as count`,
      )
      const { rows } = await db.query<{ type: string; count: number }>(counts.join(' union all '), [spaceId])
      return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
    },

    async insert(kind: Kind, entity: NewEntity): Promise<EntityRow> {
      const names = Object.keys(entity.fields)
      const places = names.map((_, index) => `$${index + 5}`)
      const { rows } = await db.query<EntityRow>(
        `insert into ${kind.table}
           (${['id', 'space_id', 'created_by', 'updated_by', 'origin', ...names].join(', ')})
         values (${['$1', '$2', '$3', '$3', '$4', ...places].join(', ')})
         returning ${columns(kind)}`,
        [entity.id, entity.space_id, entity.actor, entity.origin, ...Object.values(entity.fields)],
      )
      return rows[0]!
    },

    /** Sets the fields and counts the version up; changed now, unless they say when. The caller holds the row's lock and has compared the version. */
    async update(
      kind: Kind,
      row: EntityRow,
      fields: Record<string, unknown>,
      actor: string,
    ): Promise<EntityRow> {
      const sets = Object.keys(fields).map((name, index) => `${name} = $${index + 4}`)
      const now = 'updated_at' in fields ? [] : ['updated_at = now()']
      const { rows } = await db.query<EntityRow>(
        `update ${kind.table}
         set ${[...sets, ...now, 'version = version + 1', 'updated_by = $3'].join(', ')}
         where space_id = $1 and id = $2
         returning ${columns(kind)}`,
        [row.space_id, row.id, actor, ...Object.values(fields)],
      )
      return rows[0]!
    },

    /**
     * Removes rows for good that were deleted before a time and that no row refers to, with their names and links.
     * Returns what is left to say of them.
     */
    async purge(
      kind: Kind,
      filter: { before: Date; referrers: { table: string; column: string }[]; limit: number },
    ): Promise<Pick<EntityRow, 'id' | 'space_id' | 'version'>[]> {
      const unreferred = filter.referrers.map(
        ({ table, column }) =>
          `and not exists (select from ${table} referrer where referrer.${column} = ${kind.table}.id)`,
      )
      const { rows } = await db.query<Pick<EntityRow, 'id' | 'space_id' | 'version'>>(
        `with gone as (
           delete from ${kind.table}
           where id in (
             select id
             from ${kind.table}
             where deleted_at < $1
             ${unreferred.join('\n             ')}
             limit $2
             for update skip locked
           )
           returning id, space_id, version
         ), unnamed as (
           delete from entity_names where entity_id in (select id from gone)
         )
         select id, space_id, version from gone`,
        [filter.before, filter.limit],
      )
      return rows
    },

    /** Whether `ancestorId` is `id` or stands above it along `column`, a reference of the kind to itself. */
    async isWithin(
      kind: Kind,
      spaceId: string,
      column: string,
      id: string,
      ancestorId: string,
    ): Promise<boolean> {
      const { rows } = await db.query(
        `with recursive above (id, parent) as (
           select id, ${column} from ${kind.table} where space_id = $1 and id = $2
           union
           select next.id, next.${column}
           from ${kind.table} next
           join above on next.id = above.parent
           where next.space_id = $1
         )
         select from above where id = $3`,
        [spaceId, id, ancestorId],
      )
      return rows.length > 0
    },
  }
}

/** `key` is a list that ends in the id, so that no two are the same. */
const sorts = {
  newest: { key: 'id', before: '<', direction: 'desc' },
  changed: { key: 'updated_at, id', before: '<', direction: 'desc' },
  title: { key: 'lower(title), id', before: '>', direction: 'asc' },
} as const

const shared = [
  'id',
  'space_id',
  'version',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'origin',
  'deleted_at',
]

function columns(kind: Kind, without?: string): string {
  const own = [...Object.keys(kind.fields.shape), ...Object.keys(kind.derived.shape)]
  return [...shared, ...own.filter((name) => name !== without)].join(', ')
}

/** What was deleted in a Space, of all kinds. */
export function createTrashRepo(db: Queryable) {
  return {
    /** The latest first, at most `limit`. */
    async list(kinds: readonly Kind[], spaceId: string, limit: number): Promise<Trash['items']> {
      const each = kinds.map(
        ({ type, table }) => `select '${type}' as entity_type, id, title, deleted_at, updated_by as deleted_by
         from ${table}
         where space_id = $1 and deleted_at is not null`,
      )
      const { rows } = await db.query<Trash['items'][number]>(
        `${each.join(' union all ')}
         order by deleted_at desc, id
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },
  }
}
