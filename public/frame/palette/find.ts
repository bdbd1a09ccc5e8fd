// Searches while the query is typed: titles at once, passages a moment later. Outdated requests are cancelled.

import type { List } from '../../../lib/contract/list.ts'
import type { SearchItem, Suggestion } from '../../../lib/contract/space/search.ts'
import type { Api } from '../../app/api/api.ts'
import { withQuery } from '../../ui/words/addresses.ts'

export type Found = {
  query: string
  titles: Suggestion[]
  passages: SearchItem[]
  /** Whether all results of this query have arrived. */
  complete: boolean
  /** The failure of a request. */
  error: unknown
}

/** The pause in typing after which passages are searched. */
const debounceMs = 30
const maxTitles = 6
const maxPassages = 6

/** Returns a search that calls `onFound` as results arrive; only for the newest query. */
export function createFinder(api: Pick<Api, 'get'>, onFound: (found: Found) => void, end: AbortSignal) {
  let searching = new AbortController()
  end.addEventListener('abort', () => searching.abort(), { once: true })

  return function find(query: string): void {
    searching.abort()
    searching = new AbortController()
    const { signal } = searching
    let found: Found = { query, titles: [], passages: [], complete: false, error: null }
    const report = (more: Partial<Found>) => {
      if (signal.aborted || end.aborted) return
      found = { ...found, ...more }
      onFound(found)
    }
    const fail = (error: unknown) => report({ error, complete: true })
    const titles = api
      .get<{ items: Suggestion[] }>(withQuery('/api/suggest', { q: query, limit: maxTitles }), { signal })
      .then(({ items }) => report({ titles: items, complete: query === '' }))
    titles.catch(fail)
    if (query === '') return
    delay(debounceMs, signal)
      .then(async () => {
        if (signal.aborted) return
        const asked = { q: query, typing: true, group: 'entity', snippet: 130, limit: maxPassages }
        const path = withQuery('/api/search', asked)
        const { items } = await api.get<List<SearchItem>>(path, { signal })
        await titles
        report({ passages: items, complete: true })
      })
      .catch(fail)
  }
}

const delay = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
