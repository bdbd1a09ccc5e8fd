import type { Embedder } from './embedder.ts'

/** How long a search waits for the meaning of its question, and for how long it doesn't ask again after a failure. */
const patienceMs = 2000
const pauseMs = 30_000
const maxCached = 500

export type EmbedQuestion = (question: string, model: Embedder) => Promise<number[] | null>

/**
 * Embeds questions, the last few hundred out of memory. Null when the provider fails or is slow: the search goes on
 * without, and the provider is left alone for a while.
 */
export function createEmbedQuestion(now: () => Date, onFailure: (error: unknown) => void): EmbedQuestion {
  const kept = new Map<string, number[]>()
  let restsUntil = 0

  return async (question, embedder) => {
    const key = `${embedder.provider} ${embedder.url} ${embedder.model}\n${question}`
    const known = kept.get(key)
    if (known) return keep(key, known)
    if (now().getTime() < restsUntil) return null

    try {
      const [vector] = await embedder.embed([question], 'question', AbortSignal.timeout(patienceMs))
      return vector ? keep(key, vector) : null
    } catch (error) {
      restsUntil = now().getTime() + pauseMs
      onFailure(error)
      return null
    }
  }

  /** The latest asked for stand last; the first one goes. */
  function keep(key: string, vector: number[]): number[] {
    kept.delete(key)
    kept.set(key, vector)
    if (kept.size > maxCached) kept.delete(kept.keys().next().value ?? '')
    return vector
  }
}
