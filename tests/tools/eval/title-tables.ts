// How well pages are found by their titles, over HTTP: by the exact title, and while it is typed.

import type { SearchPage, Suggestion } from '../../../lib/contract/space/search.ts'
import type { Api } from './over-http.ts'

type Page = { id: string; title: string }

const maxTitles = 300
/** Rows that the palette shows without scrolling. */
const shown = 6

/** A line of a table: `share` of `asked` titles. */
export type TitleRow = { what: string; asked: number; share: number }

export async function measureTitles(api: Api, spaceId: string, pages: readonly Page[]): Promise<TitleRow[]> {
  const byTitle = Map.groupBy(pages, ({ title }) => title.trim().toLowerCase())
  const unique = pages.filter(
    ({ title }) => title.trim() && byTitle.get(title.trim().toLowerCase())!.length === 1,
  )
  const step = Math.max(1, unique.length / maxTitles)
  const asked = unique
    .filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
    .slice(0, maxTitles)
  const search = async (q: string, more: Record<string, string>) => {
    const { items } = await api.get<SearchPage>('/api/search', {
      ...{ space_id: spaceId, q, group: 'entity', limit: shown },
      ...more,
    })
    return items.map(({ entity_id }) => entity_id)
  }
  const suggest = async (q: string) => {
    const { items } = await api.get<{ items: Suggestion[] }>('/api/suggest', {
      space_id: spaceId,
      q,
      limit: shown,
    })
    return items.map(({ entity_id }) => entity_id)
  }
  const share = async (what: string, some: readonly Page[], isFound: (page: Page) => Promise<boolean>) => {
    let found = 0
    for (const page of some) if (await isFound(page)) found += 1
    return { what, asked: some.length, share: some.length === 0 ? 1 : found / some.length }
  }
  const whileTyped = async (q: string, { id }: Page) => {
    const rows = [...(await suggest(q)), ...(await search(q, { typing: 'true' }))]
    return [...new Set(rows)].slice(0, shown).includes(id)
  }
  const typed = asked.flatMap((page) => {
    const [, first, letter] = /^(\S+\s+)(\p{L})/u.exec(page.title) ?? []
    return first && letter ? [{ ...page, q: first + letter }] : []
  })
  return [
    await share(
      'search: the exact title is first',
      asked,
      async ({ id, title }) => (await search(title, {}))[0] === id,
    ),
    await share(
      'suggestions: the exact title is first',
      asked,
      async ({ id, title }) => (await suggest(title))[0] === id,
    ),
    await share('typing: first word and one letter, among six', typed, (page) =>
      whileTyped((page as (typeof typed)[number]).q, page),
    ),
  ]
}
