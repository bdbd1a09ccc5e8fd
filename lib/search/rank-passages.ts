import type { Database, Queryable } from '../db/pool.ts'
import {
  type FoundChunk,
  lastWanted,
  rankChunks,
  rankLinked,
  rankPhrase,
  type Scope,
} from '../db/repos/chunk_rankings.ts'
import { type NearChunk, rankNearest } from '../db/repos/embeddings.ts'
import type { QuestionVector } from './embed/embedding.ts'
import type { QueryPlan, Stage } from './query-plan.ts'
import type { Phrase, Question } from './question.ts'
import { indexWordsOf } from './words/index-words.ts'

/**
 * Passages checked for the exact words of a phrase. More are checked if the first do not contain them, because Postgres
 * knows only the words' stems and no stop words.
 */
const phraseScopes = [50, 1000]

type Asked = {
  question: Question
  plan: QueryPlan
  /** A `tsquery` of the words that no passage may have; '' for none. */
  excluded: string
  languages: readonly string[]
  /** The question's embedding; null: only its words count. */
  meaning: QuestionVector | null
}

/** Passages of each ranking that are fused. */
const fused = { lexical: 100, near: 200, per_entity: 10 }

/**
 * Passages with the quoted phrases first, then by score, with what the best link to; and the phrases that stand nowhere.
 */
export async function rankPassages(
  db: Database,
  scope: Scope,
  asked: Asked,
): Promise<{ chunks: FoundChunk[]; missing: string[] }> {
  const { chunks: phrased, missing } = await findPhrases(db, scope, asked)
  return { chunks: [...phrased, ...(await rankWords(db, scope, asked))], missing }
}

async function rankWords(db: Database, scope: Scope, asked: Asked): Promise<FoundChunk[]> {
  if (!asked.meaning) return await rankLexically(db, scope, asked)

  const { lexical, near, per_entity } = fused
  const wider = {
    ...scope,
    by_entity: false,
    limit: Math.max(lexical, scope.limit),
    per_entity: Math.max(per_entity, scope.per_entity),
  }
  const ranked = await rankLexically(db, wider, asked)
  const nearest = await rankNearest(
    db,
    { ...scope, limit: near },
    { ...asked.meaning, sparse: asked.plan.vector },
  )
  return fuse(ranked, nearest, asked.meaning.share)
}

async function rankLexically(
  db: Database,
  scope: Scope,
  { plan, excluded }: Pick<Asked, 'plan' | 'excluded'>,
) {
  const ranked = await rankInStages(db, scope, plan, excluded)
  return await followLinks(db, scope, { vector: plan.vector, ranked })
}

/** Examines more candidates until there are enough results and no unexamined candidate can beat the last one. */
async function rankInStages(db: Database, scope: Scope, { vector, stages }: QueryPlan, excluded: string) {
  const { first, beyond, others } = stages
  const rank = ({ tsquery }: Stage) =>
    rankChunks(db, scope, { tsquery: excluded ? `(${tsquery}) & !(${excluded})` : tsquery, vector })
  if (first) {
    const ranked = await rank(first)
    const last = lastWanted(ranked, scope)
    if (last && last.score >= first.outside) return ranked
    const better = last && beyond(last.score)
    if (better) return better.tsquery === '' ? ranked : joinRankings(ranked, await rank(better))
  }
  let ranked: FoundChunk[] = []
  for (const stage of others) {
    ranked = await rank(stage)
    if (lastWanted(ranked, scope)) break
  }
  return ranked
}

/** Merges both by score, without duplicates. */
function joinRankings(one: readonly FoundChunk[], other: readonly FoundChunk[]): FoundChunk[] {
  const all = new Map([...one, ...other].map((chunk) => [keyOf(chunk), chunk]))
  return [...all.values()].sort((a, b) => b.score - a.score)
}

async function findPhrases(db: Database, scope: Scope, { question, plan, languages }: Asked) {
  const chunks: FoundChunk[] = []
  const missing: string[] = []
  for (const phrase of question.phrases) {
    const words = (phrase.open ? phrase.words.slice(0, -1) : phrase.words).join(' ')
    for (const limit of phraseScopes) {
      const within = { ...scope, limit, per_entity: limit, by_entity: false }
      const near = await rankPhrase(db, within, { words, vector: plan.vector, languages })
      const holding = near.filter((chunk) => holdsPhrase(chunk, phrase))
      const isLast = near.length < limit || holding.length >= scope.limit || limit === phraseScopes.at(-1)
      if (!isLast) continue
      chunks.push(...holding)
      if (holding.length === 0 && !phrase.open) missing.push(phrase.text)
      break
    }
  }
  return { chunks, missing }
}

/** The stems match; the exact words must match, too. */
function holdsPhrase(chunk: FoundChunk, { words, open }: Phrase): boolean {
  const phrase = ` ${words.join(' ')}${open ? '' : ' '}`
  const places = [chunk.text, chunk.title, ...chunk.heading_path]
  return places.some((text) => ` ${indexWordsOf(text).join(' ')} `.includes(phrase))
}

/** Number of best entities whose links are followed. */
const maxSources = 5

const maxTargets = 5

/**
 * One hop: adds what the best results link to and the words did not find, at most at a fifth of a result's score. A result
 * stays where its own words put it.
 */
async function followLinks(
  db: Queryable,
  scope: Scope,
  { vector, ranked }: { vector: string; ranked: readonly FoundChunk[] },
): Promise<FoundChunk[]> {
  const best = new Map<string, number>()
  for (const { entity_type, entity_id, score } of ranked) {
    if (best.size === maxSources) break
    // Has no links, and does not displace a page that has.
    if (entity_type === 'conversation') continue
    if (!best.has(entity_id)) best.set(entity_id, score)
  }
  if (best.size === 0) return [...ranked]

  const found = [...new Set(ranked.map(({ entity_id }) => entity_id))]
  const hits = { vector, ids: [...best.keys()], scores: [...best.values()], found }
  const linked = await rankLinked(db, { ...scope, limit: maxTargets }, hits)
  const added = linked.map(({ own, ...passage }) => ({ ...passage, score: Math.max(own, passage.score) }))
  return [...ranked, ...added].sort((a, b) => b.score - a.score)
}

/**
 * Fuses two rankings: a passage's score is the weighted sum of its share of the best lexical score and of the range of
 * similarities; `share` is the weight of meaning. The range is that of the nearest passages given, so that a model
 * whose similarities are all close together counts as much as another.
 */
export function fuse(
  lexical: readonly FoundChunk[],
  near: readonly NearChunk[],
  share: number,
): FoundChunk[] {
  const best = Math.max(0, ...lexical.map(({ score }) => score), ...near.map((chunk) => chunk.lexical))
  const highest = near[0]?.similarity ?? 0
  const range = highest - (near.at(-1)?.similarity ?? 0)
  const meaning = new Map(
    near.map((chunk) => [keyOf(chunk), range > 0 ? 1 - (highest - chunk.similarity) / range : 1]),
  )
  const lexicalByKey = new Map(lexical.map((chunk) => [keyOf(chunk), chunk]))
  for (const { similarity: _similarity, lexical: score, ...chunk } of near) {
    if (!lexicalByKey.has(keyOf(chunk))) lexicalByKey.set(keyOf(chunk), { ...chunk, score })
  }

  return [...lexicalByKey]
    .map(([key, chunk]) => {
      const words = best > 0 ? chunk.score / best : 0
      return { ...chunk, score: (1 - share) * words + share * (meaning.get(key) ?? 0) }
    })
    .sort((a, b) => b.score - a.score)
}

/** A passage's key. */
export const keyOf = ({ entity_id, ordinal }: { entity_id: string; ordinal: number }) =>
  `${entity_id} ${ordinal}`
