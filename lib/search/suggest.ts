import type { Kinds } from '../contract/entities/kinds.ts'
import type { Suggestion } from '../contract/space/search.ts'
import { plainWordsOf } from '../core/text/words/words.ts'
import type { Queryable } from '../db/pool.ts'
import { createTitlesRepo } from '../db/repos/page_tree.ts'

export type SuggestRequest = {
  space_ids: readonly string[]
  q: string
  /** Also by the other names that front matter gives. */
  aliases: boolean
  limit: number
}

/** Words of a question that are looked for. */
const maxWords = 8
const maxLength = 500

/** Titles with words that begin as those typed do; with nothing typed, what changed last. */
export async function suggestTitles(
  db: Queryable,
  kinds: Kinds,
  { space_ids, q, aliases, limit }: SuggestRequest,
): Promise<Suggestion[]> {
  const titles = createTitlesRepo(db)
  if (q.trim() === '') return await titles.recent(kinds.all, { space_ids, limit })
  const words = plainWordsOf(q.slice(0, maxLength)).slice(0, maxWords)
  if (words.length === 0) return []
  const found = await titles.suggest(kinds.all, { space_ids, words, limit })
  if (!aliases || found.length >= limit) return found
  const rest = { space_ids, words, limit: limit - found.length }
  return [...found, ...(await titles.suggestAliases(kinds.all, rest))]
}
