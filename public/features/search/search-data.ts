import type { List } from '../../../lib/contract/list.ts'
import type { SearchItem } from '../../../lib/contract/space/search.ts'
import type { Suggestion } from '../../../lib/contract/space/suggest.ts'
import type { LoadContext } from '../../app/view.ts'
import { isKind, type KindType, withQuery } from '../../ui/words/addresses.ts'

export type SearchData = {
  query: string
  /** The id of a Space, or null for all. */
  spaceId: string | null
  kind: KindType | 'conversation' | 'mail_message' | null
  /** Statuses, separated by commas. */
  status: string | null
  /** The first day of the last change. */
  since: string | null
  items: SearchItem[]
  /** Of the next page, or null after the last. */
  cursor: string | null
  /** Titles to suggest, without a query or without results. */
  suggestions: Suggestion[]
}

const pageSize = 20

export async function loadSearch({ url, api, space }: LoadContext): Promise<SearchData> {
  const query = url.searchParams.get('q')?.trim() ?? ''
  const asSpace = url.searchParams.get('space')
  const spaceId = asSpace === null ? (space?.id ?? null) : idOf(asSpace)
  const named = url.searchParams.get('kind') ?? ''
  const kind: SearchData['kind'] =
    isKind(named) || named === 'conversation' || named === 'mail_message' ? named : null
  const status = url.searchParams.get('status') || null
  const since = /^\d{4}-\d\d-\d\d$/.exec(url.searchParams.get('since') ?? '')?.[0] ?? null
  const asked = { query, spaceId, kind, status, since }
  if (query === '') return { ...asked, items: [], cursor: null, suggestions: await suggest('') }
  const { items, next_cursor: cursor } = await api.get<List<SearchItem>>(resultsPath(asked, null))
  return { ...asked, items, cursor, suggestions: items.length === 0 ? await suggest(firstWord(query)) : [] }

  async function suggest(q: string): Promise<Suggestion[]> {
    return (await api.get<{ items: Suggestion[] }>(withQuery('/api/suggest', { q, limit: 6 }))).items
  }
}

/** The request for the results from a cursor on. */
export const resultsPath = (
  { query, spaceId, kind, status, since }: Omit<SearchData, 'items' | 'cursor' | 'suggestions'>,
  cursor: string | null,
): string =>
  withQuery('/api/search', {
    q: query,
    space_id: spaceId,
    kinds: kind,
    status,
    changed_after: since,
    group: 'entity',
    limit: pageSize,
    cursor,
  })

const idOf = (value: string | null) => (/^[0-9a-f-]{36}$/i.test(value ?? '') ? value : null)

/** The start of the longest word, which a typo is least likely to be in. */
const firstWord = (query: string) =>
  (query.match(/[\p{L}\p{N}]+/gu) ?? [])
    .reduce((one, other) => (other.length > one.length ? other : one), '')
    .slice(0, 4)
