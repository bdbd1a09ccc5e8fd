import type { ListRequest, ListResult } from '../../ai/agent/services.ts'
import { listPages } from '../../content/properties/list-pages.ts'
import type { CellValue, PageFilter, PageSort } from '../../contract/space/pages.ts'
import { invalid } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'

const condition = /^([^=<>!]{1,200}?)(>=|<=|!=|=|>|<)(.{0,300})$/s
const number = /^-?\d{1,15}(?:\.\d{1,10})?$/
const comparisons = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' } as const
const maxConditions = 8
/** A value is shown up to this length. */
const maxShown = 120

/** Pages by tags and properties. Throws a 400 `AppError` for a condition that cannot be read. */
export async function listByProperties(
  db: Queryable,
  { space_id, kind = 'page', below, where = [], sort, after, limit }: ListRequest,
): Promise<Omit<ListResult, 'counts'>> {
  if (kind !== 'page' || below !== undefined)
    throw invalid('where, sort: they are of pages, wherever those are; "folder = Name" is what is under one.')
  if (where.length > maxConditions) throw invalid(`where: at most ${maxConditions} conditions.`)
  const conditions = where.map(readCondition)
  const sorts = sort ? [readSort(sort)] : []
  const asked = [...conditions.map(({ property }) => property), ...sorts.map(({ property }) => property)]
  const columns = [...new Set(asked)].filter((name) => name !== '*' && !name.startsWith('file.'))
  const { items, count, next_cursor } = await listPages(db, {
    space_id,
    sorts,
    columns,
    after,
    limit,
    filter: { and: conditions.map(({ filter }) => filter) },
  })
  return {
    found: count,
    more: next_cursor !== null,
    items: items.map(({ id, title, values }) => ({
      kind: 'page',
      id,
      title,
      status: null,
      due_on: null,
      has_children: false,
      properties: Object.fromEntries(columns.flatMap((name, at) => shown(name, values[at] ?? null))),
    })),
  }
}

type Read = { property: string; filter: PageFilter }

function readCondition(text: string): Read {
  const [, name = '', sign = '', given = ''] = condition.exec(text) ?? []
  if (name.trim() === '')
    throw invalid(`where: “${text.slice(0, 80)}” is no condition; write "property = value".`)
  const property = propertyOf(name.trim())
  const value = given.trim()
  const filter = filterOf(property, sign === '!=' ? '=' : sign, value)
  return { property, filter: sign === '!=' ? { not: filter } : filter }
}

/** Of several values, "a | b", one is enough. */
function filterOf(property: string, sign: string, value: string): PageFilter {
  if (sign !== '=')
    return { property, op: comparisons[sign as keyof typeof comparisons], value: typed(value) }
  if (value === '') return { property, op: 'empty' }
  return { or: value.split(' | ').map((one) => isOrHolds(property, one.trim())) }
}

function isOrHolds(property: string, value: string): PageFilter {
  if (property === 'file.folder') return { property, op: 'in_folder', value }
  if (property === '*') return { property, op: 'has', value }
  const contains: PageFilter = { property, op: 'contains', value }
  const number = typed(value)
  return typeof number === 'number' ? { or: [{ property, op: 'is', value: number }, contains] } : contains
}

const typed = (value: string) => (number.test(value) ? Number(value) : value)

const readSort = (text: string): PageSort => ({
  property: propertyOf(text.replace(/^[-+]/, '').trim() || 'name'),
  direction: text.startsWith('-') ? 'desc' : 'asc',
})

/** What every page has, by the names that come to mind. */
const named: Record<string, string> = {
  any: '*',
  tag: 'file.tags',
  tags: 'file.tags',
  folder: 'file.folder',
  name: 'file.name',
  title: 'file.name',
  created_at: 'file.ctime',
  updated_at: 'file.mtime',
}
const propertyOf = (name: string): string =>
  Object.hasOwn(named, name.toLowerCase()) ? named[name.toLowerCase()]! : name

function shown(name: string, value: CellValue): [string, string][] {
  const text = [value ?? []]
    .flat()
    .join(', ')
    .replace(/\[\[|\]\]/g, '')
  return text === '' ? [] : [[name, text.slice(0, maxShown).toWellFormed()]]
}
