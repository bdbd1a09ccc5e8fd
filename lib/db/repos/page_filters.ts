// The SQL of a filter of pages. What comes from a request becomes a parameter, never a part of the statement.

import type { Condition, PageFilter, PageSort } from '../../contract/space/pages.ts'
import { tagKey } from '../../core/text/properties/tag.ts'
import {
  isDate,
  isDay,
  linkKey,
  propertyKey,
  scalarKey,
} from '../../core/text/properties/typed-properties.ts'

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
  'file.linked': {
    type: `'number'`,
    n: `(select count(distinct from_id) from links where links.space_id = $1 and links.to_id = pages.id)::float8`,
    s: `''`,
    keys: `'["linked"]'::jsonb`,
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
export function asksPlace(filter: PageFilter | null, sorts: readonly PageSort[]): boolean {
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
export function filterSql(filter: PageFilter, add: AddValue): string {
  if ('and' in filter) return filter.and.length === 0 ? 'true' : joined(filter.and, ' and ', add)
  if ('or' in filter) return filter.or.length === 0 ? 'false' : joined(filter.or, ' or ', add)
  if ('not' in filter) return `not ${filterSql(filter.not, add)}`
  return `coalesce(${conditionSql(filter, add)}, false)`
}

const textOf = (add: AddValue, text: string): string => `${add(text)}::text`

const joined = (filters: readonly PageFilter[], by: string, add: AddValue) =>
  `(${filters.map((one) => filterSql(one, add)).join(by)})`

/** What rows are ordered by for one sort: the empty ones last, numbers before texts. Each `[expression, is it reversed]`. */
export function sortSql({ property, direction }: PageSort, add: AddValue): [string, boolean][] {
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
    const name = textOf(add, linkKey(String(value)))
    return `exists (
      select from links
      where links.space_id = $1 and links.from_id = pages.id
        and (substring(links.name from '[^/]*$') = ${name} or links.to_id in (
          select entity_id from entity_names where entity_names.space_id = $1 and entity_names.name = ${name}
        ))
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
