import type { Kinds } from '../contract/entities/kinds.ts'
import type { Suggestion } from '../contract/space/search.ts'
import { plainWordsOf } from '../core/text/words/words.ts'
import type { Queryable } from '../db/pool.ts'
import { createTitlesRepo } from '../db/repos/page_tree.ts'

export type SuggestRequest = {
  space_ids: readonly string[]
  q: string
  /** Includes the aliases in front matter. */
  aliases: boolean
  limit: number
}

/** Maximum words of a question. */
const maxWords = 8
const maxLength = 500

/** Titles with words that begin with the typed ones; for an empty query, the latest changes. */
export async function suggestTitles(
  db: Queryable,
  kinds: Kinds,
  { space_ids, q, aliases, limit }: SuggestRequest,
): Promise<Suggestion[]> {
  const titles = createTitlesRepo(db)
  if (q.trim() === '') return await titles.recent(kinds.all, { space_ids, limit })
  const words = plainWordsOf(q.slice(0, maxLength)).slice(0, maxWords)
  if (words.length === 0) return []
  const suggestions = await titles.suggest(kinds.all, { space_ids, words, limit })
  if (!aliases || suggestions.length >= limit) return suggestions
  const rest = { space_ids, words, limit: limit - suggestions.length }
  return [...suggestions, ...(await titles.suggestAliases(kinds.all, rest))]
}
