import type { FoundChunk } from '../db/repos/chunk_rankings.ts'
import type { NearChunk } from '../db/repos/embeddings.ts'

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
