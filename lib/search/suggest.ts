import type { Kinds } from '../contract/entities/kinds.ts'
import type { Suggestion } from '../contract/space/search.ts'
import { cleanLine } from '../core/text/clean.ts'
import { distanceFrom } from '../core/text/words/edit-distance.ts'
import { bareWord, plainWordsOf } from '../core/text/words/words.ts'
import type { Queryable } from '../db/pool.ts'
import { createTitlesRepo } from '../db/repos/titles.ts'
import type { Search } from './search.ts'

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
/** Letters of a word in which a slip is looked for, and of one in which two are. */
const minSlip = 4
const minTwoSlips = 8
/** Results that are looked through for titles with a slip. */
const maxSearched = 30

/**
 * Titles with words that begin with the typed ones, the title that is just that first; then those that differ by a typing
 * slip, if there is a search to look for them. For an empty query, the latest changes.
 */
export async function suggestTitles(
  db: Queryable,
  deps: { kinds: Kinds; search?: Pick<Search, 'query'> },
  { space_ids, q, aliases, limit }: SuggestRequest,
): Promise<Suggestion[]> {
  const { kinds, search } = deps
  const titles = createTitlesRepo(db)
  const text = cleanLine(q.slice(0, maxLength))
  if (text === '') return await titles.recent(kinds.all, { space_ids, limit })
  const words = plainWordsOf(text).slice(0, maxWords)
  const query = { space_ids, text, words, limit }
  const found = await titles.suggest(kinds.all, query)
  if (aliases && words.length > 0 && found.length < limit)
    found.push(...(await titles.suggestAliases(kinds.all, { ...query, limit: limit - found.length })))
  if (!search || found.length >= limit || !words.some((word) => word.length >= minSlip)) return found

  const kindNames = kinds.all.map(({ type }) => type)
  const near = await search.query({
    space_ids,
    q: text,
    kinds: kindNames,
    typing: true,
    group: 'entity',
    limit: maxSearched,
  })
  const isMeant = createSlipMatcher(words)
  const known = new Set(found.map(({ entity_id }) => entity_id))
  const ids = near
    .filter(({ entity_id, title }) => !known.has(entity_id) && isMeant(title))
    .map(({ entity_id }) => entity_id)
    .slice(0, limit - found.length)
  return [...found, ...(await titles.listByIds(kinds.all, { space_ids, ids }))]
}

/** Whether each of the words is the beginning of a word of a title but for a slip. */
function createSlipMatcher(words: readonly string[]): (title: string) => boolean {
  const wanted = words.map((word) => {
    const bare = bareWord(word)
    const slips = bare.length < minSlip ? 0 : bare.length < minTwoSlips ? 1 : 2
    return { bare, slips, distance: distanceFrom(bare, slips) }
  })
  return (title) => {
    const own = plainWordsOf(bareWord(title))
    return wanted.every(({ bare, slips, distance }) =>
      own.some((word) => word.startsWith(bare) || beginsNear(word, { bare, slips, distance })),
    )
  }
}

/** The beginning may be longer or shorter than what was typed, by as many letters as there may be slips. */
function beginsNear(
  word: string,
  { bare, slips, distance }: { bare: string; slips: number; distance: (other: string) => number },
): boolean {
  for (let length = bare.length - slips; slips > 0 && length <= bare.length + slips; length += 1)
    if (distance(word.slice(0, length)) <= slips) return true
  return false
}
