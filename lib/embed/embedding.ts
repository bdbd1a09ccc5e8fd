// Meaning beside words. A job of the queue embeds what has no embedding yet; the model that has embedded everything
// answers, while another that was configured since is built beside it; then that one answers and the old one goes.

import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/pool.ts'
import {
  buildVectorIndex,
  completeModel,
  countEmbedded,
  type EmbeddingModel,
  hasVectorIndex,
  keepModel,
  listModels,
  listUnembedded,
} from '../db/repos/embeddings.ts'
import { createBoss } from '../jobs/boss.ts'
import type { Logger } from '../logger.ts'
import { embedPassages } from './embed-passages.ts'
import { createEmbedQuestion } from './embed-question.ts'
import type { Embedder } from './embedder.ts'

/** The model that answers, and what it makes of a question. */
export type QuestionVector = {
  model: { id: number; dimensions: number }
  vector: number[]
  /** Whether there is an index over its vectors. */
  indexed: boolean
}

export type EmbeddingState = {
  model: string
  /** Whether it takes part in the ranking. */
  answering: boolean
  done: number
  total: number
  /** What the provider last said, when it failed since it last worked. */
  problem: string | null
}

export type Embedding = {
  /** Null while no model has embedded everything, or when the provider fails. */
  embedQuestion(question: string): Promise<QuestionVector | null>
  state(): Promise<EmbeddingState>
  /** The same, a few seconds old at most: counting is not for everybody who asks. */
  recentState(): Promise<EmbeddingState>
  /** Embeds what there is to embed, once: what the job does. Rejects when the provider fails. */
  run(signal: AbortSignal): Promise<void>
  /** Starts the queue and looks for work from time to time. The function returned ends it. */
  start(): Promise<() => Promise<void>>
}

type EmbeddingDeps = {
  database: Database
  embedder: Embedder
  /** The embedder of a model that was configured before and still answers; null: it can't be asked any more. */
  embedderOf: (model: EmbeddingModel) => Embedder | null
  logger: Logger
  now: () => Date
  /** Passages from which on an index is worth its building; below, every vector is compared. */
  indexFrom?: number
}

const queue = 'embed-passages'
/**
 * One job at a time; one that failed is tried again, ever less often. One whose process was killed stops being heard of
 * and is tried again then.
 */
const queueOptions = {
  heartbeatSeconds: 20,
  retryLimit: 1000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 600,
} as const
const everySeconds = 10
const recentMs = 5000

export function createEmbedding(deps: EmbeddingDeps): Embedding {
  const { database, embedder, embedderOf, logger, now, indexFrom = 10_000 } = deps
  let problem: string | null = null
  let answering: { row: EmbeddingModel; dimensions: number; indexed: boolean } | null = null
  let read = false
  let recent: { at: number; state: Promise<EmbeddingState> } | null = null
  const embedQuestion = createEmbedQuestion(now, note)

  function note(error: unknown) {
    const text = error instanceof Error ? error.message : String(error)
    if (problem !== text) logger.warn({ err: error }, 'the embedding provider failed')
    problem = text
  }

  async function readAnswering(): Promise<void> {
    const row = (await listModels(database)).find(({ complete }) => complete)
    answering =
      row?.dimensions == null
        ? null
        : { row, dimensions: row.dimensions, indexed: await hasVectorIndex(database, row.id) }
    read = true
  }

  async function run(signal: AbortSignal): Promise<void> {
    const model = await keepModel(database, embedder)
    let unfinished = true
    try {
      const { done, finished } = await embedPassages({ database, embedder }, model, signal)
      problem = null
      unfinished = !finished
      if (done > 0) logger.info({ passages: done, model: model.model }, 'passages were embedded')
    } catch (error) {
      if (!signal.aborted) note(error)
      throw error
    }
    if (!unfinished) await settle(await keepModel(database, embedder))
  }

  /** Everything is embedded: the model answers from now on, through an index where that is worth it. */
  async function settle(model: EmbeddingModel): Promise<void> {
    if (model.dimensions === null) return
    if (!model.complete) await database.transaction((tx) => completeModel(tx, model.id))
    const { done } = await countEmbedded(database, model.id)
    if (done >= indexFrom && !(await hasVectorIndex(database, model.id))) {
      logger.info({ passages: done }, 'building the index of embeddings')
      await buildVectorIndex(database, { id: model.id, dimensions: model.dimensions })
    }
    await readAnswering()
  }

  async function state(): Promise<EmbeddingState> {
    const model = await keepModel(database, embedder)
    const counted = await countEmbedded(database, model.id)
    return { model: model.model, answering: model.complete, ...counted, problem }
  }

  return {
    run,
    async embedQuestion(question) {
      if (!read) await readAnswering()
      if (!answering) return null
      const { row, dimensions, indexed } = answering
      const asked = isSame(row, embedder) ? embedder : embedderOf(row)
      const vector = asked && (await embedQuestion(question, asked))
      if (vector?.length !== dimensions) return null
      return { model: { id: row.id, dimensions }, vector, indexed }
    },
    state,
    recentState() {
      const at = now().getTime()
      if (!recent || at - recent.at > recentMs) recent = { at, state: state() }
      return recent.state
    },
    async start() {
      const controller = new AbortController()
      const boss = createBoss(database, logger)
      await boss.start()
      await boss.createQueue(queue, { policy: 'exclusive', ...queueOptions })
      // One that an earlier version made is as it was then.
      await boss.updateQueue(queue, queueOptions)
      // Nobody else works on an embedded database: what is under way there was cut off by a crash.
      if (database.engine === 'pglite') await boss.deleteAllJobs(queue)
      await boss.work(queue, { pollingIntervalSeconds: 2 }, () => run(controller.signal))
      const stopLooking = await lookForWork(boss)
      return async () => {
        controller.abort()
        stopLooking()
        await boss.stop({ graceful: true, timeout: 5000 })
      }
    },
  }

  /** Sends a job whenever something has no embedding; a queue holds one at a time. */
  async function lookForWork(boss: PgBoss): Promise<() => void> {
    const look = async () => {
      const model = await keepModel(database, embedder)
      const waiting = await listUnembedded(database, model.id, 1)
      if (waiting.length > 0 || !model.complete) await boss.send(queue)
    }
    const guarded = () =>
      look().catch((error: unknown) => logger.warn({ err: error }, 'looking for passages to embed failed'))
    await guarded()
    const timer = setInterval(guarded, everySeconds * 1000)
    return () => clearInterval(timer)
  }
}

const isSame = (model: EmbeddingModel, { provider, url, model: name }: Embedder) =>
  model.provider === provider && model.url === url && model.model === name
