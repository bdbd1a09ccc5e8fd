import type { PageFilter, PageSort } from '../../contract/space/pages.ts'
import type { Queryable } from '../pool.ts'
import { asksPlace, filterSql, sortSql } from './page_filters.ts'

type PageQuery = {
  space_id: string
  /** In the form in which tags are compared; null: any. */
  tag: string | null
  filter: PageFilter | null
  sorts: readonly PageSort[]
  /** What comes after this page. */
  after: string | null
  limit: number
  /** Whether the rows are to say where they lie. */
  withPlace?: boolean
}

export type FoundPageRow = {
  id: string
  title: string
  created_at: string
  updated_at: string
  properties: Record<string, unknown> | null
  /** The titles above it; null where nothing asked for them. */
  folder: string | null
}

/** Pages deeper than this have no path. */
const maxDepth = 50

/** Pages by their properties; those without a value come last, whichever way they are sorted. */
export async function listPageRows(db: Queryable, query: PageQuery): Promise<FoundPageRow[]> {
  const { values, add } = parametersOf(query.space_id)
  const asked = query.withPlace || asksPlace(query.filter, query.sorts)
  const order = orderOf(query.sorts, add)
  const keys = order.map(([expression], at) => `${expression} as k${at}`).join(', ')
  const { rows } = await db.query<FoundPageRow>(
    `with recursive ${asked ? `${placesSql}, ` : ''}found as (
       select pages.id, pages.title, pages.created_at, pages.updated_at, data.properties,
              ${asked ? 'places.shown as folder' : 'null::text as folder'}, ${keys}
       from pages
       ${joins(asked)}
       where pages.space_id = $1 and pages.deleted_at is null and ${conditionOf(query, add)}
     ),
     seen as (
       select ${keys}
       from pages
       ${joins(asked)}
       where pages.space_id = $1 and pages.id = ${add(query.after)}::uuid
     )
     select found.id, found.title, found.created_at, found.updated_at, found.properties, found.folder
     from found
     ${query.after ? `join seen on ${behind(order)}` : ''}
     order by ${order.map(([, reversed], at) => `found.k${at}${reversed ? ' desc' : ''}`).join(', ')}
     limit ${add(query.limit)}`,
    values,
  )
  return rows
}

/** How many there are. */
export async function countPageRows(
  db: Queryable,
  query: Pick<PageQuery, 'space_id' | 'tag' | 'filter'>,
): Promise<number> {
  const { values, add } = parametersOf(query.space_id)
  const asked = asksPlace(query.filter, [])
  const { rows } = await db.query<{ count: number }>(
    `${asked ? `with recursive ${placesSql}` : ''}
     select count(*)::integer as count
     from pages
     ${joins(asked)}
     where pages.space_id = $1 and pages.deleted_at is null and ${conditionOf(query, add)}`,
    values,
  )
  return rows[0]?.count ?? 0
}

function parametersOf(spaceId: string) {
  const values: unknown[] = [spaceId]
  const add = (value: unknown) => `$${values.push(value)}`
  return { values, add }
}

type Order = [expression: string, reversed: boolean][]

/** By name in the end, and where two have one name by id. */
const orderOf = (sorts: readonly PageSort[], add: (value: unknown) => string): Order => [
  ...[...sorts, { property: 'file.name', direction: 'asc' as const }].flatMap((sort) => sortSql(sort, add)),
  ['pages.id', false],
]

function conditionOf(
  { tag, filter }: Pick<PageQuery, 'tag' | 'filter'>,
  add: (value: unknown) => string,
): string {
  const tagged = tag === null ? [] : [`coalesce(data.tags @> array[${add(tag)}::text], false)`]
  return [...tagged, filter ? filterSql(filter, add) : 'true'].join(' and ')
}

const joins = (asked: boolean) =>
  `left join page_properties data on data.space_id = $1 and data.page_id = pages.id
   ${asked ? 'left join places on places.id = pages.id' : ''}`

/** Whether a row comes behind the one seen: by the first key in which they differ. */
function behind(order: Order): string {
  return order.reduceRight((rest, [, reversed], at) => {
    const differs = `found.k${at} ${reversed ? '<' : '>'} seen.k${at}`
    return rest === '' ? differs : `(${differs} or (found.k${at} = seen.k${at} and ${rest}))`
  }, '')
}

const placesSql = `places (id, path, folder, title, shown, depth) as (
       select id, lower(title), '', title, '', 1
       from pages
       where space_id = $1 and deleted_at is null
         and not exists (select from pages parent where parent.id = pages.parent_id and parent.deleted_at is null)
       union all
       select below.id, places.path || '/' || lower(below.title), places.path, below.title,
              concat_ws('/', nullif(places.shown, ''), places.title), places.depth + 1
       from places
       join pages below on below.parent_id = places.id
       where below.space_id = $1 and below.deleted_at is null and places.depth < ${maxDepth}
     )`
