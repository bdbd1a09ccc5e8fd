// Obsidian's `.base` files, which Void's own views are saved as, too: a text of YAML with filters for all of its views,
// and views with filters, columns and an order of their own.

import { z } from 'zod'
import {
  maxColumns,
  maxSorts,
  type PageSort,
  type PageView,
  type PageViews,
} from '../../../contract/space/pages.ts'
import { cleanDeep, cleanLine } from '../../../core/text/clean.ts'
import { readYaml } from '../../../core/text/properties/read-properties.ts'
import { propertyKey } from '../../../core/text/properties/typed-properties.ts'
import { parseExpression } from './expression.ts'
import { filterOf, type ReadFilter } from './filter-of.ts'
import { namedProperty, propertyOf } from './property-of.ts'

const maxViews = 30

/** How wide and how high, which a list of pages decides by itself. */
const cosmetic = ['columnSize', 'cardSize', 'imageFit', 'imageAspectRatio', 'rowHeight']
const understood = ['type', 'name', 'filters', 'order', 'sort', 'limit', ...cosmetic]

const record = z.record(z.string(), z.unknown()).catch({})
const Base = z.object({
  filters: z.unknown().optional(),
  formulas: record,
  properties: record,
  display: record,
  views: z.array(record).catch([]),
})
const Sort = z.object({
  property: z.string().optional(),
  column: z.string().optional(),
  direction: z.string().optional(),
})

type Names = {
  /** The property of a column or a sort; a formula that only names one is that one. */
  property(name: string): string | null
  label(property: string): string
}

/** The views of a `.base` text. Never throws. */
export function readBase(text: string): Omit<PageViews, 'title'> {
  const written = cleanDeep(readYaml(text))
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return { views: [], problem: 'The text is not a base: it has to be YAML with views.' }
  const base = Base.parse(written)
  const known = ['filters', 'formulas', 'properties', 'display', 'views']
  const others = Object.keys(written).filter((key) => !known.includes(key))
  const views = base.views.length > 0 ? base.views.slice(0, maxViews) : [{}]
  const names = namesOf(base)
  const shared = filtersIn(base.filters)
  return { views: views.map((view, at) => readView(view, { at, names, shared, others })), problem: null }
}

type Around = { at: number; names: Names; shared: ReadFilter; others: readonly string[] }

function readView(view: Record<string, unknown>, { at, names, shared, others }: Around): PageView {
  const own = filtersIn(view.filters)
  const order = texts(view.order)
  const columns = order.flatMap((name) => names.property(name) ?? [])
  const sorts = sortsIn(view.sort, names)
  const limit =
    typeof view.limit === 'number' && view.limit >= 1 ? Math.min(10_000, Math.trunc(view.limit)) : null
  const type = typeof view.type === 'string' ? view.type : 'table'
  const filters = [shared.filter, own.filter].filter((filter) => filter !== null)
  const unsupported = [
    ...others,
    ...shared.unsupported,
    ...own.unsupported,
    ...(['table', 'cards'].includes(type) ? [] : [`type: ${type}`]),
    ...order.filter((name) => names.property(name) === null).map((name) => `column ${name}`),
    ...sorts.unsupported,
    ...Object.keys(view).filter((key) => !understood.includes(key)),
  ]
  return {
    name:
      typeof view.name === 'string' && view.name.trim()
        ? cleanLine(view.name).slice(0, 200)
        : `View ${at + 1}`,
    layout: type === 'cards' ? 'cards' : 'table',
    filter: filters.length > 1 ? { and: filters } : (filters[0] ?? null),
    sorts: sorts.sorts.slice(0, maxSorts),
    columns: unique(columns)
      .slice(0, maxColumns)
      .map((property) => ({ property, label: names.label(property) })),
    limit,
    unsupported: unique(unsupported.map((one) => cleanLine(one).slice(0, 300))).slice(0, 50),
  }
}

const filtersIn = (written: unknown): ReadFilter =>
  written === undefined || written === null ? { filter: null, unsupported: [] } : filterOf(written)

function sortsIn(written: unknown, names: Names): { sorts: PageSort[]; unsupported: string[] } {
  const sorts: PageSort[] = []
  const unsupported: string[] = []
  for (const item of Array.isArray(written) ? written.slice(0, 50) : []) {
    const parsed = Sort.safeParse(item)
    const name = parsed.data?.property ?? parsed.data?.column ?? ''
    const property = names.property(name)
    if (property === null) unsupported.push(`sort by ${name || '?'}`)
    else sorts.push({ property, direction: /^desc$/i.test(parsed.data?.direction ?? '') ? 'desc' : 'asc' })
  }
  return { sorts, unsupported }
}

function namesOf({ formulas, properties, display }: z.infer<typeof Base>): Names {
  const property = (name: string): string | null => {
    const formula = name.startsWith('formula.') ? formulas[name.slice(8)] : undefined
    const parsed = typeof formula === 'string' ? parseExpression(formula) : null
    const named = parsed ? propertyOf(parsed) : namedProperty(name.trim())
    return named === null || named.length > 200 ? null : named
  }
  const labels = new Map<string, string>()
  for (const [name, given] of [...Object.entries(display), ...Object.entries(properties)]) {
    const label = typeof given === 'object' && given !== null ? Reflect.get(given, 'displayName') : given
    const named = property(name)
    if (named !== null && typeof label === 'string' && label.trim())
      labels.set(propertyKey(named), cleanLine(label).slice(0, 200))
  }
  return { property, label: (named) => labels.get(propertyKey(named)) ?? ownLabel(named) }
}

const fileLabels: Record<string, string> = {
  'file.name': 'Name',
  'file.path': 'Path',
  'file.folder': 'Folder',
  'file.ext': 'Extension',
  'file.ctime': 'Created',
  'file.mtime': 'Edited',
  'file.tags': 'Tags',
}

const ownLabel = (property: string) =>
  Object.hasOwn(fileLabels, property) ? fileLabels[property]! : property

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 100).filter((item): item is string => typeof item === 'string') : []

const unique = (items: readonly string[]): string[] => [...new Set(items)]
