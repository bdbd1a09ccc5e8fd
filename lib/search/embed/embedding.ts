// Semantic search in addition to words. A background job embeds passages without an embedding; the model that has
// embedded everything is in use, while a newly configured one is built beside it, then replaces it.

import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import {
  buildVectorIndex,
  completeModel,
  countEmbedded,
  type EmbeddingModel,
  findOrCreateModel,
  hasVectorIndex,
  listModels,
  listUnembedded,
} from '../../db/repos/embeddings.ts'
import { startJob } from '../../jobs/start-job.ts'
import { embedPassages } from './embed-passages.ts'
import { createHttpEmbedder, type Embedder, type EmbeddingSettings } from './embedder.ts'

/** The model in use, and the question's embedding. */
export type QuestionVector = {
  model: { id: number; dimensions: number }
  vector: number[]
  /** True if its vectors have an index. */
  indexed: boolean
  /** Weight of meaning in a score; the rest is words. */
  share: number
}

type EmbeddingState = {
  model: string
  /** True if it takes part in the ranking. */
  answering: boolean
  done: number
  total: number
  /** Weight of meaning in a score; 0: it brought no improvement and is not used. */
  share: number
  /** The basis of that choice; null: not measured. */
  measured: { ndcg_words: number; ndcg_meaning: number; questions: number; at: string } | null
  /** The provider's latest error, if it has failed since its last success. */
  problem: string | null
}

export type Embedding = {
  /** Null while no model has embedded everything, or if the provider fails. */
  embedQuestion(question: string): Promise<QuestionVector | null>
  state(): Promise<EmbeddingState>
  /** The same, at most a few seconds old, since counting is expensive. */
  recentState(): Promise<EmbeddingState>
  /** Embeds all passages without an embedding, once: a round of the job. Rejects if the provider fails. */
  run(signal: AbortSignal): Promise<void>
  /** Embeds in the background until the returned function is called. */
  start(): () => Promise<void>
}

export type EmbeddingDeps = {
  database: Database
  embedder: Embedder
  /** Embedder of a model that was configured before and is still in use; null: it can't be called any more. */
  embedderOf: (model: EmbeddingModel) => Embedder | null
  logger: Logger
  now: () => Date
  /** Minimum passages for an index; below, every vector is compared. */
  indexFrom?: number
  /** Polling interval for passages to embed, in milliseconds. */
  everyMs?: number
  /** Timeout of a batch, in milliseconds. Default: two minutes. */
  batchTimeoutMs?: number
}

const recentMs = 5000

/**
 * Default for models that were not measured on the owner's notes; docs/search.md describes its effect with a weak one.
 */
const unmeasuredShare = 0.1

type Answering = { row: EmbeddingModel; dimensions: number; indexed: boolean }

export function createEmbedding(deps: EmbeddingDeps): Embedding {
  const { database, embedder, embedderOf, logger, now, everyMs = 10_000 } = deps
  let problem: string | null = null
  /** Undefined: not loaded yet. */
  let answering: Answering | null | undefined
  let recent: { at: number; state: Promise<EmbeddingState> } | null = null
  const embedQuestion = createEmbedQuestion(now, (error) => {
    const text = messageOf(error)
    if (problem !== text) logger.warn({ err: error }, 'embedding provider failed')
    problem = text
  })

  async function run(signal: AbortSignal): Promise<void> {
    const model = await findOrCreateModel(database, embedder)
    try {
      const done = await embedPassages(deps, model, signal)
      if (done > 0) logger.info({ passages: done, model: model.model }, 'embedded passages')
    } catch (error) {
      if (!signal.aborted) problem = messageOf(error)
      throw error
    }
    problem = null
    await complete(deps, await findOrCreateModel(database, embedder))
    answering = await loadAnswering(database)
  }

  return {
    run,
    async embedQuestion(question) {
      if (answering === undefined) answering = await loadAnswering(database)
      if (!answering) return null
      const { row, dimensions, indexed } = answering
      const share = row.share ?? unmeasuredShare
      if (share === 0) return null
      const current = isSame(row, embedder) ? embedder : embedderOf(row)
      const vector = current && (await embedQuestion(question, current))
      if (vector?.length !== dimensions) return null
      return { model: { id: row.id, dimensions }, vector, indexed, share }
    },
    state,
    recentState() {
      const at = now().getTime()
      if (!recent || at - recent.at > recentMs) recent = { at, state: state() }
      return recent.state
    },
    start: () => startJob({ database, logger }, { name: 'embed-passages', everyMs, isDue, run }),
  }

  async function state(): Promise<EmbeddingState> {
    return { ...(await countDone(deps)), problem }
  }

  async function isDue(): Promise<boolean> {
    // Another server may have embedded everything.
    answering = await loadAnswering(database)
    return await isUnfinished(deps)
  }
}

async function loadAnswering(database: Database): Promise<Answering | null> {
  const row = (await listModels(database)).find(({ complete }) => complete)
  if (row?.dimensions == null) return null
  return { row, dimensions: row.dimensions, indexed: await hasVectorIndex(database, row.id) }
}

/** Everything is embedded: switches to the model, with an index if that is worthwhile. */
async function complete(deps: EmbeddingDeps, model: EmbeddingModel): Promise<void> {
  const { database, logger, indexFrom = 10_000 } = deps
  if (model.dimensions === null) return
  if (!model.complete) await database.transaction((tx) => completeModel(tx, model.id))
  const { done } = await countEmbedded(database, model.id)
  if (done < indexFrom || (await hasVectorIndex(database, model.id))) return
  logger.info({ passages: done }, 'building the embedding index')
  await buildVectorIndex(database, { id: model.id, dimensions: model.dimensions })
}

async function countDone({ database, embedder }: EmbeddingDeps): Promise<Omit<EmbeddingState, 'problem'>> {
  const model = await findOrCreateModel(database, embedder)
  const { share, ndcg_words, ndcg_meaning, measured_questions: questions, measured_at } = model
  const isMeasured = ndcg_words !== null && ndcg_meaning !== null && questions !== null && measured_at
  return {
    model: model.model,
    answering: model.complete,
    ...(await countEmbedded(database, model.id)),
    share: share ?? unmeasuredShare,
    measured: isMeasured ? { ndcg_words, ndcg_meaning, questions, at: measured_at } : null,
  }
}

async function isUnfinished({ database, embedder }: EmbeddingDeps): Promise<boolean> {
  const model = await findOrCreateModel(database, embedder)
  if ((await listUnembedded(database, model.id, 1)).length > 0) return true
  return !model.complete && model.dimensions !== null
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isSame = (model: EmbeddingModel, { provider, url, model: name }: Embedder) =>
  model.provider === provider && model.url === url && model.model === name

/** Timeout of a question's embedding, and the pause after a failure. */
const patienceMs = 2000

const pauseMs = 30_000

const maxCached = 500

type EmbedQuestion = (question: string, model: Embedder) => Promise<number[] | null>

/**
 * Embeds questions; caches the last few hundred. Null if the provider fails or is slow: the search continues without,
 * and the provider is not called for a while.
 */
function createEmbedQuestion(now: () => Date, onFailure: (error: unknown) => void): EmbedQuestion {
  const cache = new Map<string, number[]>()
  let restsUntil = 0

  return async (question, embedder) => {
    const key = `${embedder.provider} ${embedder.url} ${embedder.model}\n${question}`
    const cached = cache.get(key)
    if (cached) return keep(key, cached)
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

  /** Least recently used first; the first one is evicted. */
  function keep(key: string, vector: number[]): number[] {
    cache.delete(key)
    cache.set(key, vector)
    if (cache.size > maxCached) cache.delete(cache.keys().next().value ?? '')
    return vector
  }
}

type ConfiguredDeps = Omit<EmbeddingDeps, 'embedder' | 'embedderOf'> & {
  settings: EmbeddingSettings
  /** The current key. */
  readKey: () => string | null
}

/** A model configured before can be called only at the same provider, with the same key. */
export const createConfiguredEmbedding = ({ settings, readKey, ...deps }: ConfiguredDeps): Embedding =>
  createEmbedding({
    ...deps,
    embedder: createHttpEmbedder({ ...settings, readKey }),
    embedderOf: ({ provider, url, model }) =>
      provider === settings.provider && url === settings.url
        ? createHttpEmbedder({ ...settings, model, readKey })
        : null,
  })
