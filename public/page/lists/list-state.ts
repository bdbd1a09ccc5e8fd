// What a list of pages shows: the saved view that it begins with, and what the address changes of it.

import type { Condition, PageFilter, PageSort, PageView } from '../../../lib/contract/space/pages.ts'

export type Column = { property: string; label: string }

export type ListState = {
  layout: 'table' | 'cards'
  /** Pages for which all of them hold. */
  parts: PageFilter[]
  sorts: PageSort[]
  columns: Column[]
  /** Pages that it shows at most; null: all. */
  limit: number | null
}

export const pageSize = 50

const maxShown = 2000

export const builtIn: Record<string, string> = {
  'file.name': 'Name',
  'file.tags': 'Tags',
  'file.mtime': 'Edited',
  'file.ctime': 'Created',
  'file.folder': 'Folder',
  'file.path': 'Path',
  'file.ext': 'Extension',
}

export const labelOf = (property: string): string =>
  Object.hasOwn(builtIn, property) ? builtIn[property]! : property

const defaultColumns: Column[] = ['file.name', 'file.tags', 'file.mtime'].map((property) => ({
  property,
  label: labelOf(property),
}))

/** The state that an address asks for; what cannot be read of it is as the view has it. */
export function readState({ searchParams: query }: URL, view: PageView | null): ListState {
  const tag = query.get('tag')
  const tagged: PageFilter[] = tag ? [{ property: 'file.tags', op: 'contains', value: tag }] : []
  const layout = query.get('view')
  const columns = readList(query.get('columns'), isName)?.map((property) => ({
    property,
    label: view?.columns.find((column) => column.property === property)?.label ?? labelOf(property),
  }))
  return {
    layout: layout === 'table' || layout === 'cards' ? layout : (view?.layout ?? 'table'),
    parts: [...tagged, ...(readList(query.get('where'), isFilter) ?? partsOf(view?.filter ?? null))],
    sorts: readList(query.get('sort'), isSort) ?? view?.sorts ?? [],
    columns: columns ?? (view && view.columns.length > 0 ? view.columns : defaultColumns),
    limit: view?.limit ?? null,
  }
}

/** The parameters for a state in which something was chosen. */
export function queryOf(change: Partial<Omit<ListState, 'limit'>>): Record<string, string | null> {
  return {
    ...(change.layout && { view: change.layout }),
    ...(change.parts && { where: JSON.stringify(change.parts), tag: null }),
    ...(change.sorts && { sort: JSON.stringify(change.sorts) }),
    ...(change.columns && { columns: JSON.stringify(change.columns.map(({ property }) => property)) }),
    ...(change.layout ? {} : { shown: null }),
  }
}

/** Whether an address changes anything of a saved view. */
export const isChanged = ({ searchParams }: URL): boolean =>
  ['view', 'where', 'sort', 'columns', 'tag'].some((name) => searchParams.has(name))

/** How many pages to show. */
export function shownOf({ searchParams }: URL, limit: number | null): number {
  const requested = Number(searchParams.get('shown'))
  const rowCount = requested > pageSize && requested <= maxShown ? Math.trunc(requested) : pageSize
  return limit === null ? rowCount : Math.min(limit, rowCount)
}

/** The parts of a filter that all have to hold. */
export function partsOf(filter: PageFilter | null): PageFilter[] {
  if (filter === null) return []
  return 'and' in filter ? filter.and.flatMap(partsOf) : [filter]
}

function readList<Item>(json: string | null, isItem: (value: unknown) => value is Item): Item[] | null {
  if (json === null || json.length > 8000) return null
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.length <= 50 && value.every(isItem) ? value : null
  } catch {
    return null
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isSort = (value: unknown): value is PageSort =>
  isRecord(value) && isName(value.property) && (value.direction === 'asc' || value.direction === 'desc')

const maxDepth = 10

function isFilter(value: unknown, depth: unknown = 0): value is PageFilter {
  const next = typeof depth === 'number' ? depth + 1 : 1
  if (!isRecord(value) || next > maxDepth) return false
  const isPart = (part: unknown) => isFilter(part, next)
  if (Array.isArray(value.and)) return value.and.every(isPart)
  if (Array.isArray(value.or)) return value.or.every(isPart)
  return value.not === undefined ? isName(value.property) && isName(value.op) : isPart(value.not)
}

export const opNames: Record<Condition['op'], string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  has: 'has',
  starts_with: 'starts with',
  ends_with: 'ends with',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  empty: 'is empty',
  not_empty: 'is not empty',
  exists: 'exists',
  in_folder: 'in folder',
  links_to: 'links to',
}

/** A filter in words, as it stands on its chip. */
export function describeFilter(filter: PageFilter): string {
  if ('and' in filter) return joined(filter.and, ' and ')
  if ('or' in filter) return joined(filter.or, ' or ')
  if ('not' in filter) return `not ${inBrackets(filter.not)}`
  const { property, op, value } = filter
  const words = opNames[op] ?? op
  const valueText =
    value === undefined ? '' : ` ${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`
  if (op === 'in_folder' || op === 'links_to') return `${words}${valueText}`
  if (property === 'file.tags' && op === 'contains') return `tag${valueText}`
  return `${labelOf(property)} ${words}${valueText}`
}

const joined = (filters: readonly PageFilter[], by: string) =>
  filters.length === 0 ? 'any page' : filters.map(inBrackets).join(by)

const inBrackets = (filter: PageFilter): string =>
  ('and' in filter && filter.and.length > 1) || ('or' in filter && filter.or.length > 1)
    ? `(${describeFilter(filter)})`
    : describeFilter(filter)
