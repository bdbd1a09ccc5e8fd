import type { Condition, PageFilter, PageSort } from '../../contract/space/pages.ts'
import { tagKey } from '../../core/text/properties/tag.ts'
import {
  isDate,
  isDay,
  linkKey,
  propertyKey,
  scalarKey,
} from '../../core/text/properties/typed-properties.ts'
import type { Queryable } from '../pool.ts'

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

// The SQL of a filter of pages. What comes from a request becomes a parameter, never a part of the statement.

/** Takes a value and gives the name of its parameter. */
type AddValue = (value: unknown) => string

/** How a property is compared: `type` to `keys` as in `TypedProperty`, all null where a page does not have it. */
type Operand = { type: string; n: string; s: string; keys: string }

const timeOf = (column: string): Operand => {
  const s = `to_char(pages.${column} at time zone 'UTC', 'YYYY-MM-DD"t"HH24:MI:SS.US"z"')`
  return { type: `'date'`, n: 'null::float8', s, keys: `jsonb_build_array(${s})` }
}

/** Of what every page has beside its properties. `places` is joined where a path is asked for. */
const ofPage: Record<string, Operand> = {
  'file.ctime': timeOf('created_at'),
  'file.mtime': timeOf('updated_at'),
  'file.path': {
    type: `'text'`,
    n: 'null::float8',
    s: `(places.path || '.md')`,
    keys: 'jsonb_build_array(places.path)',
  },
  'file.folder': {
    type: `'text'`,
    n: 'null::float8',
    s: 'places.folder',
    keys: `case places.folder when '' then '[]'::jsonb else jsonb_build_array(places.folder) end`,
  },
  'file.ext': { type: `'text'`, n: 'null::float8', s: `'md'`, keys: `'["md"]'::jsonb` },
  'file.name': {
    type: `'text'`,
    n: 'null::float8',
    s: `coalesce(data.properties #>> '{file.name,s}', lower(pages.title))`,
    keys: 'jsonb_build_array(lower(pages.title))',
  },
}

/** Whether anything in it asks where a page lies. */
function asksPlace(filter: PageFilter | null, sorts: readonly PageSort[]): boolean {
  const isPlace = (name: string) => ['file.path', 'file.folder'].includes(propertyKey(name))
  const asks = (one: PageFilter): boolean => {
    if ('and' in one) return one.and.some(asks)
    if ('or' in one) return one.or.some(asks)
    if ('not' in one) return asks(one.not)
    return one.op === 'in_folder' || isPlace(one.property)
  }
  return (filter !== null && asks(filter)) || sorts.some(({ property }) => isPlace(property))
}

/** A condition that is true or false, never null. */
function filterSql(filter: PageFilter, add: AddValue): string {
  if ('and' in filter) return filter.and.length === 0 ? 'true' : joined(filter.and, ' and ', add)
  if ('or' in filter) return filter.or.length === 0 ? 'false' : joined(filter.or, ' or ', add)
  if ('not' in filter) return `not ${filterSql(filter.not, add)}`
  return `coalesce(${conditionSql(filter, add)}, false)`
}

const textOf = (add: AddValue, text: string): string => `${add(text)}::text`

const joined = (filters: readonly PageFilter[], by: string, add: AddValue) =>
  `(${filters.map((one) => filterSql(one, add)).join(by)})`

/** What rows are ordered by for one sort: the empty ones last, numbers before texts. Each `[expression, is it reversed]`. */
function sortSql({ property, direction }: PageSort, add: AddValue): [string, boolean][] {
  const { type, n, s, keys } = operandOf(property, add)
  const reversed = direction === 'desc'
  return [
    [`(coalesce(${keys}, '[]'::jsonb) = '[]'::jsonb)`, false],
    [`(coalesce(${type}, '') <> 'number')`, reversed],
    [`coalesce(${n}, 0)`, reversed],
    [`coalesce(${s}, '') collate "C"`, reversed],
  ]
}

function conditionSql({ property, op, value = '' }: Condition, add: AddValue): string {
  if (op === 'in_folder') {
    const folder = `lower(${textOf(
      add,
      String(value)
        .normalize('NFKC')
        .replace(/^\/+|\/+$/g, ''),
    )})`
    return `(${folder} = '' or places.folder = ${folder} or starts_with(places.folder, ${folder} || '/'))`
  }
  if (op === 'links_to') {
    return `exists (
      select from links
      where links.space_id = $1 and links.from_id = pages.id
        and substring(links.name from '[^/]*$') = ${textOf(add, linkKey(String(value)))}
    )`
  }
  if (propertyKey(property) === '*' && op === 'has') return anyHas(value, add)
  const isTags = propertyKey(property) === 'file.tags'
  if (isTags && op === 'contains') return tagged(value, add)
  if (isTags && op === 'not_contains') return `not coalesce(${tagged(value, add)}, false)`
  const operand = operandOf(property, add)
  if (op === 'is') return equals(operand, value, add)
  if (op === 'is_not') return `not coalesce(${equals(operand, value, add)}, false)`
  if (op === 'empty') return isEmpty(operand)
  if (op === 'not_empty') return `not ${isEmpty(operand)}`
  if (op === 'contains') return contains(operand, value, add)
  if (op === 'not_contains') return `not coalesce(${contains(operand, value, add)}, false)`
  if (op === 'has') return `(${operand.keys} @> to_jsonb(${textOf(add, scalarKey(value))}))`
  if (op === 'exists') return `${operand.keys} is not null`
  if (op === 'starts_with') return `starts_with(${operand.s}, ${textOf(add, scalarKey(value))})`
  if (op === 'ends_with') {
    const end = textOf(add, scalarKey(value))
    return `right(${operand.s}, length(${end})) = ${end}`
  }
  return compares(operand, op, value, add)
}

function operandOf(property: string, add: AddValue): Operand {
  const key = propertyKey(property)
  const known = Object.hasOwn(ofPage, key) ? ofPage[key] : undefined
  if (known) return known
  const p = `(data.properties -> ${add(key)}::text)`
  return { type: `${p} ->> 'type'`, n: `(${p} ->> 'n')::float8`, s: `${p} ->> 's'`, keys: `${p} -> 'keys'` }
}

const isEmpty = ({ keys }: Operand) => `(coalesce(${keys}, '[]'::jsonb) = '[]'::jsonb)`

type Value = string | number | boolean

/** A day is also that of a time. */
function equals({ type, n, s }: Operand, value: Value, add: AddValue): string {
  if (typeof value === 'number') return `${n} = ${add(value)}::float8`
  const key = textOf(add, scalarKey(value))
  if (typeof value === 'boolean') return `(${type} = 'checkbox' and ${s} = ${key})`
  if (isDay(value)) return `(case when ${type} = 'date' then left(${s}, 10) else ${s} end) = ${key}`
  return `${s} = ${key}`
}

/** As the index of tags has it. */
const tagged = (value: Value, add: AddValue) =>
  `data.tags @> array[${textOf(add, tagKey(String(value).replace(/^#/, '')))}]`

/** Some property of whichever name, the tags, or the title of the page above. */
function anyHas(value: Value, add: AddValue): string {
  const key = textOf(add, scalarKey(value))
  return `(exists (
      select from jsonb_each(data.properties) one where one.key <> 'file.name' and one.value -> 'keys' ? ${key}
    ) or exists (
      select from pages above
      where above.id = pages.parent_id and above.space_id = $1 and lower(above.title) = ${key}
    ))`
}

function contains({ type, s, keys }: Operand, value: Value, add: AddValue): string {
  const key = textOf(add, scalarKey(value))
  return `(case when ${type} = 'list' then ${keys} ? ${key} else strpos(${s}, ${key}) > 0 end)`
}

const signs = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** Like with like: numbers, days and times, texts. */
function compares({ type, n, s }: Operand, op: keyof typeof signs, value: Value, add: AddValue): string {
  if (typeof value === 'number') return `${n} ${signs[op]} ${add(value)}::float8`
  const key = textOf(add, scalarKey(value))
  if (typeof value === 'string' && isDate(value)) {
    const compared = isDay(value) ? `left(${s}, 10)` : s
    return `(${type} = 'date' and ${compared} collate "C" ${signs[op]} ${key})`
  }
  return `(${type} in ('text', 'link') and ${s} collate "C" ${signs[op]} ${key})`
}
