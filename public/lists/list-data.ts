import type { Entity, List } from '../../lib/contract/entities.ts'
import { type KindType, kindNames } from '../addresses.ts'
import { withQuery } from '../api.ts'
import type { LoadContext } from '../view.ts'

export const sortNames = { newest: 'Newest first', changed: 'Last changed first', title: 'By title' } as const
export type Sort = keyof typeof sortNames

export type ListData<Row extends Entity> = {
  items: Row[]
  more: boolean
  sort: Sort
  status: string | null
  shown: number
}

export const pageSize = 50
/** The longest page that the server gives. */
const longestPage = 200
const mostShown = 2000

export async function loadList<Row extends Entity>(
  type: KindType,
  statuses: readonly string[],
  { api, space, url }: LoadContext,
): Promise<ListData<Row>> {
  const { searchParams: query } = url
  const sort = (Object.keys(sortNames) as Sort[]).find((name) => name === query.get('sort')) ?? 'changed'
  const status = statuses.find((name) => name === query.get('status')) ?? null
  const asked = Number(query.get('shown'))
  const shown = asked > pageSize && asked <= mostShown ? Math.trunc(asked) : pageSize
  const items: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(longestPage, shown - items.length)
    const path = withQuery(`/api/spaces/${space!.id}/${kindNames[type].path}`, {
      sort,
      status,
      limit,
      cursor,
    })
    const page: List<Row> = await api.get<List<Row>>(path)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null && items.length < shown)
  return { items, more: cursor !== null, sort, status, shown }
}
