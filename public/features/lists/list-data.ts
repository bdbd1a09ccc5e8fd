import type { Entity } from '../../../lib/contract/entities/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { LoadContext } from '../../app/view.ts'
import { type KindType, kindNames, withQuery } from '../../ui/words/addresses.ts'

export const sortNames = { newest: 'Newest first', changed: 'Last edited first', title: 'By title' } as const
type Sort = keyof typeof sortNames

export type ListData<Row extends Entity> = {
  items: Row[]
  more: boolean
  sort: Sort
  status: string | null
  shown: number
}

export const pageSize = 50
/** The largest page that the server returns. */
const maxPage = 200
const maxShown = 2000

export async function loadList<Row extends Entity>(
  type: KindType,
  statuses: readonly string[],
  { api, space, url }: LoadContext,
): Promise<ListData<Row>> {
  const { searchParams: query } = url
  const sort = (Object.keys(sortNames) as Sort[]).find((name) => name === query.get('sort')) ?? 'changed'
  const status = statuses.find((name) => name === query.get('status')) ?? null
  const asked = Number(query.get('shown'))
  const shown = asked > pageSize && asked <= maxShown ? Math.trunc(asked) : pageSize
  const items: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(maxPage, shown - items.length)
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
