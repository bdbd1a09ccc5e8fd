import type { Entity } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type {
  KnownProperty,
  PageList,
  PageRow,
  PageView,
  PageViews,
} from '../../../lib/contract/space/pages.ts'
import { ApiError } from '../../app/api/api.ts'
import type { LoadContext } from '../../app/view.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { type ListState, readState, shownOf } from './list-state.ts'

/** A saved view, or a `.base` file, and which of its views is shown. */
export type Saved = {
  id: string
  kind: 'view' | 'source_doc'
  title: string
  version: number
  views: readonly PageView[]
  at: number
  problem: string | null
}

type ViewRow = Entity & { body: string }

/** What is shown of a list. */
export type ShownList = {
  state: ListState
  saved: Saved | null
  rows: PageRow[]
  count: number
  /** Whether the server refused the filter; why. */
  problem: string | null
  more: boolean
  maxRows: number
}

/** It, and what it can be changed by. */
export type ListData = ShownList & {
  names: KnownProperty[]
  views: ViewRow[]
  /** While it is saved here, it is no news that it changed. */
  isBusy?: boolean
}

/** The largest page that the server returns. */
const maxPage = 200

export async function loadList(context: LoadContext): Promise<ListData> {
  const { api, space } = context
  const at = `/api/spaces/${space!.id}`
  const [list, { items: names }, { items: views }] = await Promise.all([
    loadShown(context),
    api.get<{ items: KnownProperty[] }>(`${at}/page-properties`),
    api.get<List<ViewRow>>(withQuery(`${at}/views`, { sort: 'title', limit: 100 })),
  ])
  return { ...list, names, views }
}

/** `name`: of the view that is shown; left out, or none of that name: the one that the address says. */
export async function loadShown(context: LoadContext, name = ''): Promise<ShownList> {
  const { url } = context
  const saved = await loadSaved(context, name)
  const state = readState(url, saved?.views[saved.at] ?? null)
  const maxRows = shownOf(url, state.limit)
  return { state, saved, maxRows, ...(await loadRows(context, state, maxRows)) }
}

async function loadRows({ api, space }: LoadContext, state: ListState, maxRows: number) {
  const rows: PageRow[] = []
  let cursor: string | null = null
  let count = 0
  try {
    do {
      const path = withQuery(`/api/spaces/${space!.id}/page-list`, {
        where: state.parts.length > 0 ? JSON.stringify({ and: state.parts }) : null,
        sort: JSON.stringify(state.sorts),
        columns: JSON.stringify(state.columns.map(({ property }) => property)),
        limit: Math.min(maxPage, maxRows - rows.length),
        cursor,
      })
      const page: PageList = await api.get<PageList>(path)
      rows.push(...page.items)
      cursor = page.next_cursor
      count = page.count
    } while (cursor !== null && rows.length < maxRows)
  } catch (error) {
    if (!isRefused(error)) throw error
    return {
      rows: [],
      count: 0,
      more: false,
      problem: 'These filters could not be read. Remove one, or reset them.',
    }
  }
  const all = Math.min(count, state.limit ?? count)
  return { rows, count: all, more: rows.length < all && cursor !== null, problem: null }
}

async function loadSaved({ api, params, url, space }: LoadContext, name: string): Promise<Saved | null> {
  if (!params.id) return null
  const isFile = url.searchParams.has('file')
  const path = `/api/${isFile ? 'source-docs' : 'views'}/${encodeURIComponent(params.id)}`
  const row = await api.get<Entity>(path)
  if (row.space_id !== space?.id) throw new ApiError(404, 'not_found', 'This view is in another Space.')
  if (row.deleted_at !== null) throw new ApiError(404, 'not_found', 'This view is in the trash.')
  const { views, problem } = await api.get<PageViews>(`${path}/page-views`)
  const indexOfName = views.findIndex((view) => view.name.toLowerCase() === name.toLowerCase())
  const requested = indexOfName > 0 ? indexOfName : Number(url.searchParams.get('n'))
  const at = Number.isInteger(requested) && requested > 0 && requested < views.length ? requested : 0
  const { id, title, version } = row
  return { id, kind: isFile ? 'source_doc' : 'view', title, version, views, at, problem }
}

/** Whether the filters were: on the server what no route takes is not found, and the Space is known to be there. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 400 || error.status === 404)
