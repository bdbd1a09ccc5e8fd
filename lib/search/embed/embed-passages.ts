// Embeds what has no embedding yet. A server on a small machine may not get through a batch in time: batches halve after
// a timeout, down to one passage.

import type { Database } from '../../db/pool.ts'
import {
  type EmbeddingModel,
  insertEmbeddings,
  listUnembedded,
  type Unembedded,
} from '../../db/repos/embeddings.ts'
import { type Embedder, EmbeddingError } from './embedder.ts'

/** Passages per request, and characters sent of each. */
const batchSize = 64
const maxTextLength = 8000

/** Timeout of a request, in milliseconds. */
const defaultTimeoutMs = 120_000

type EmbedDeps = {
  database: Database
  embedder: Embedder
  /** Default: two minutes. */
  batchTimeoutMs?: number | undefined
}

/**
 * Embeds passages without an embedding by this model, a batch at a time, each stored before the next begins: a crash or
 * a failure loses at most one batch. Returns their number. Rejects if the provider fails, takes too long for a single
 * passage, or the signal aborts.
 */
export async function embedPassages(
  { database, embedder, batchTimeoutMs = defaultTimeoutMs }: EmbedDeps,
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<number> {
  let done = 0
  let size = batchSize
  let dimensions = model.dimensions
  for (;;) {
    signal.throwIfAborted()
    const passages = await listUnembedded(database, model.id, size)
    if (passages.length === 0) return done
    const late = AbortSignal.timeout(batchTimeoutMs)
    let vectors: number[][]
    try {
      vectors = await embedder.embed(passages.map(textOf), 'passage', AbortSignal.any([signal, late]))
    } catch (error) {
      if (!late.aborted || signal.aborted || passages.length === 1) throw error
      size = Math.ceil(passages.length / 2)
      continue
    }
    dimensions ??= vectors[0]!.length
    checkDimensions(vectors, dimensions)
    const embedded = passages.map(({ entity_id, ordinal, revision }, at) => ({
      entity_id,
      ordinal,
      revision,
      vector: vectors[at]!,
    }))
    const stored = { id: model.id, dimensions }
    done += await database.transaction((tx) => insertEmbeddings(tx, stored, embedded))
  }
}

/** Title and headings give a passage context. Never empty: providers reject that. */
function textOf({ title, heading_path, text }: Unembedded): string {
  const whole = [[title, ...heading_path].filter(Boolean).join(' › '), text].filter(Boolean).join('\n\n')
  return whole.slice(0, maxTextLength).toWellFormed().trim() || '-'
}

function checkDimensions(vectors: readonly number[][], dimensions: number): void {
  const other = vectors.find((vector) => vector.length !== dimensions)
  if (!other) return
  throw new EmbeddingError(
    `The embedding model returned ${other.length} dimensions instead of ${dimensions}. If the model has changed, set another name in EMBEDDING_MODEL.`,
    null,
  )
}
