import type { Queryable } from '../db/pool.ts'
import { type FoundChunk, rankChunks, rankPhrase, type Scope } from '../db/repos/chunks.ts'
import type { QueryPlan } from './query-plan.ts'
import type { Question } from './question.ts'
import { wordsOf } from './words.ts'

/** Passages of one entity in an answer. */
export const perEntity = 3
/** Passages looked through for the very words of a phrase. */
const phraseScope = { limit: 50, per_entity: 50 }

/** Passages with the quoted phrases first, then by score; all terms are tried when the rarest find too few. */
export async function rankPassages(
  db: Queryable,
  scope: Scope,
  { question, plan }: { question: Question; plan: QueryPlan },
): Promise<FoundChunk[]> {
  const { vector, narrow, wide } = plan
  const found: FoundChunk[] = []
  for (const phrase of question.phrases) {
    const near = await rankPhrase(db, { ...scope, ...phraseScope }, { words: phrase.join(' '), vector })
    found.push(...near.filter((chunk) => holdsPhrase(chunk, phrase)))
  }
  const ranked = await rankChunks(db, scope, { tsquery: narrow, vector })
  if (ranked.length === scope.limit || wide === narrow) return [...found, ...ranked]
  return [...found, ...(await rankChunks(db, scope, { tsquery: wide, vector }))]
}

/** The first `limit` passages, none twice and no more than `per_entity` of one entity. */
export function pickPassages(
  found: readonly FoundChunk[],
  { limit, per_entity }: Pick<Scope, 'limit' | 'per_entity'>,
): FoundChunk[] {
  const picked = new Map<string, FoundChunk>()
  const ofEntity = new Map<string, number>()

  for (const chunk of found) {
    const key = `${chunk.entity_id} ${chunk.ordinal}`
    const taken = ofEntity.get(chunk.entity_id) ?? 0
    if (picked.size === limit || picked.has(key) || taken === per_entity) continue
    picked.set(key, chunk)
    ofEntity.set(chunk.entity_id, taken + 1)
  }
  return [...picked.values()]
}

/** The stems stand there; the very words must, too. */
function holdsPhrase(chunk: FoundChunk, phrase: readonly string[]): boolean {
  const wanted = ` ${phrase.join(' ')} `
  const places = [chunk.text, chunk.title, ...chunk.heading_path]
  return places.some((text) => ` ${wordsOf(text).join(' ')} `.includes(wanted))
}
