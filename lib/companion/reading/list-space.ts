// What a Space holds, as tools list it: its pages, rows of a kind, pages by tags and properties, and what the owner sees.

import { z } from 'zod'
import type { Listed, ListRequest, ListResult, ViewRead } from '../../ai/agent/services.ts'
import { listPages } from '../../content/properties/list-pages.ts'
import type { ViewedList } from '../../contract/companion/open-desk.ts'
import { correctFields } from '../../contract/correct-fields.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { CellValue, PageFilter, PageSort, TreePage } from '../../contract/space/pages.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
import type { Search } from '../../search/search.ts'
import { findTitles, keyOf } from '../prompt/system-prompt.ts'

/**
 * What a Space holds, without any text: one kind by title, the pages below a page, or the pages at the top. Throws a
 * 400 `AppError` for a status that the kind does not have, and for a condition that cannot be read.
 */
export async function listSpace(db: Queryable, kinds: Kinds, request: ListRequest): Promise<ListResult> {
  const counts = await createEntitiesRepo(db).countAll(kinds.all, request.space_id)
  if (request.where || request.sort) return { counts, ...(await listByProperties(db, request)) }
  const found = await findItems(db, kinds, request)
  return { counts, items: found.slice(0, request.limit), more: found.length > request.limit }
}

/** One more than wanted, where there are more. */
async function findItems(db: Queryable, kinds: Kinds, request: ListRequest): Promise<Listed[]> {
  const { space_id, below, kind: type, after = null, limit } = request
  const tree = createPageTreeRepo(db)
  if (below !== undefined)
    return (await tree.listBelow(space_id, [below], limit + 1, { after })).map(fromTree)
  if (type === undefined) return (await tree.listTop(space_id, limit + 1, { after })).map(fromTree)

  const kind = kinds.get(type)
  checkStatus(kind, request.status)
  const rows = await createEntitiesRepo(db).list(kind, {
    space_id,
    status: request.status ?? null,
    deleted: false,
    sort: 'title',
    before_id: after,
    limit: limit + 1,
  })
  return rows.map((row) => fromRow(kind, row))
}

function checkStatus(kind: Kind, status: string | undefined): void {
  if (status === undefined) return
  const schema = kind.statusField ? kind.fields.shape[kind.statusField] : undefined
  if (!schema) throw invalid(`status: a ${kind.label} has none.`)
  const { problems } = correctFields(z.object({ status: schema }), { status })
  if (problems.length > 0) throw invalid(problems.join(' '))
}

const fromTree = ({ id, title, has_children }: TreePage): Listed => ({
  kind: 'page',
  id,
  title,
  status: null,
  due_on: null,
  has_children,
})

const fromRow = (kind: Kind, row: EntityRow): Listed => ({
  kind: kind.type,
  id: row.id,
  title: titleOf(row),
  status: kind.statusField ? textOf(row[kind.statusField]) : null,
  due_on: typeof row.due_on === 'string' ? row.due_on : null,
  has_children: false,
})

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
    throw invalid('where, sort: apply only to pages, in all folders; use "folder = Name" for one folder.')
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
    throw invalid(`where: “${text.slice(0, 80)}” is not a condition; write "property = value".`)
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
  if (property === 'file.links') return { property, op: 'links_to', value: value.replace(/^\[\[|\]\]$/g, '') }
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
  links: 'file.links',
  linked: 'file.linked',
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

// What the owner sees in a list, on a board, in search or at Home. The browser says which rows are in sight, by id; what
// they are called is looked up. Where nothing is said of rows, the list itself is asked.

type ReadViewDeps = { database: Queryable; kinds: Kinds; search: Search }

const maxRows = 20

export async function readView(
  deps: ReadViewDeps,
  { space_id, view }: { space_id: string; view: ViewedList },
): Promise<ViewRead> {
  const { entityId, q = null, filters = {}, rows, selected = [] } = view
  const project = /^[0-9a-f-]{36}$/i.test(filters.project ?? '')
    ? [{ kind: 'project', id: filters.project! }]
    : []
  const titles = await findTitles(deps.database, deps.kinds, space_id, [
    ...(rows ?? []),
    ...selected,
    ...project,
  ])
  const toListed = (row: { kind: string; id: string }): Listed[] => {
    const title = titles.get(keyOf(row))
    return title === undefined ? [] : [{ ...row, title, ...noFacts }]
  }
  const named = project.flatMap(toListed)[0]?.title
  return {
    view: entityId,
    q,
    filters: named === undefined ? filters : { ...filters, project: named },
    rows: rows ? rows.flatMap(toListed) : await listRows(deps, space_id, view),
    inSight: rows !== undefined,
    selected: selected.flatMap(toListed),
  }
}

const noFacts = { status: null, due_on: null, has_children: false }

/** The kind that a view lists, besides the tree of pages. */
const kindOf: Partial<Record<ViewedList['entityId'], string>> = {
  tasks: 'task',
  projects: 'project',
  refs: 'ref',
  resources: 'resource',
  'source-docs': 'source_doc',
}

async function listRows(deps: ReadViewDeps, space_id: string, view: ViewedList): Promise<Listed[]> {
  const { entityId, q, filters = {} } = view
  const kind = kindOf[entityId]
  if (kind) {
    const { status } = filters
    return await listed(deps, { space_id, kind, limit: maxRows, ...(status ? { status } : {}) })
  }
  if (entityId === 'pages' || entityId === 'home') return await listed(deps, { space_id, limit: maxRows })
  if (entityId !== 'search' || !q) return []
  const found = await deps.search.query({ space_ids: [space_id], q, limit: maxRows, group: 'entity' })
  return found
    .filter(({ entity_type }) => deps.kinds.find(entity_type))
    .map(({ entity_type, entity_id, title }) => ({ kind: entity_type, id: entity_id, title, ...noFacts }))
}

/** A status that the kind does not have lists nothing. */
async function listed({ database, kinds }: ReadViewDeps, request: ListRequest): Promise<Listed[]> {
  try {
    return (await listSpace(database, kinds, request)).items
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return []
    throw error
  }
}
