import type { Queryable } from '../db/pool.ts'
import { type FoundChunk, rankChunks, rankPhrase, type Scope } from '../db/repos/chunk_rankings.ts'
import { followLinks } from './follow-links.ts'
import type { QueryPlan } from './query-plan.ts'
import type { Question } from './question.ts'
import { wordsOf } from './words.ts'

/** Passages looked through for the very words of a phrase. */
const phraseScope = { limit: 50, per_entity: 50 }

export type Asked = { question: Question; plan: QueryPlan; languages: readonly string[] }

/**
 * Passages with the quoted phrases first, then by score and by the links of the best; all terms are tried when the
 * rarest find too few.
 */
export async function rankPassages(db: Queryable, scope: Scope, asked: Asked): Promise<FoundChunk[]> {
  const { vector, narrow, wide } = asked.plan
  const phrased = await findPhrases(db, scope, asked)
  let ranked = await rankChunks(db, scope, { tsquery: narrow, vector })
  if (ranked.length < scope.limit && wide !== narrow) {
    ranked = await rankChunks(db, scope, { tsquery: wide, vector })
  }
  return [...phrased, ...(await followLinks(db, scope, { vector, ranked }))]
}

async function findPhrases(db: Queryable, scope: Scope, { question, plan, languages }: Asked) {
  const found: FoundChunk[] = []
  for (const phrase of question.phrases) {
    const words = phrase.join(' ')
    const near = await rankPhrase(db, { ...scope, ...phraseScope }, { words, vector: plan.vector, languages })
    found.push(...near.filter((chunk) => holdsPhrase(chunk, phrase)))
  }
  return found
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
