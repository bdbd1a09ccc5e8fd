// Asks while somebody types: titles at once, passages a moment later. What is no longer asked for is called off.

import type { List } from '../../lib/contract/entities.ts'
import type { SearchItem } from '../../lib/contract/search.ts'
import type { Suggestion } from '../../lib/contract/suggest.ts'
import { type Api, withQuery } from '../api.ts'

export type Found = {
  query: string
  titles: Suggestion[]
  passages: SearchItem[]
  /** Whether nothing more will come for this query. */
  complete: boolean
  /** What kept the server from answering. */
  error: unknown
}

/** How long a pause in the typing is before passages are looked for. */
const pauseMs = 30
const mostTitles = 6
const mostPassages = 6

/** Calls `onFound` as answers come in; only for the newest question. */
export function createFinder(api: Pick<Api, 'get'>, onFound: (found: Found) => void, end: AbortSignal) {
  let asking = new AbortController()
  end.addEventListener('abort', () => asking.abort(), { once: true })

  return function ask(query: string): void {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    let found: Found = { query, titles: [], passages: [], complete: false, error: null }
    const tell = (more: Partial<Found>) => {
      if (signal.aborted || end.aborted) return
      found = { ...found, ...more }
      onFound(found)
    }
    const fail = (error: unknown) => tell({ error, complete: true })
    const titles = api
      .get<{ items: Suggestion[] }>(withQuery('/api/suggest', { q: query, limit: mostTitles }), { signal })
      .then(({ items }) => tell({ titles: items, complete: query === '' }))
    titles.catch(fail)
    if (query === '') return
    pause(pauseMs, signal)
      .then(async () => {
        if (signal.aborted) return
        const path = withQuery('/api/search', { q: query, typing: true, snippet: 130, limit: mostPassages })
        const { items } = await api.get<List<SearchItem>>(path, { signal })
        await titles
        tell({ passages: items, complete: true })
      })
      .catch(fail)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
