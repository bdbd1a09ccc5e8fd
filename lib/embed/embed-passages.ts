import type { Database } from '../db/pool.ts'
import {
  type EmbeddingModel,
  insertEmbeddings,
  listUnembedded,
  type Unembedded,
} from '../db/repos/embeddings.ts'
import { type Embedder, EmbeddingError } from './embedder.ts'

/** Passages in one request, and the characters that are sent of each. */
const batchSize = 64
const longestText = 8000
const patienceMs = 30_000
/** Batches in one run, so that a job never takes long. */
const mostBatches = 10

/**
 * Embeds passages that the model has not, a batch at a time, each stored before the next begins: whoever goes on after
 * a crash or a failure loses one batch at most. Ends when nothing is left (`finished`), after some batches, or when the
 * signal aborts. Rejects when the provider fails.
 */
export async function embedPassages(
  { database, embedder }: { database: Database; embedder: Embedder },
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<{ done: number; finished: boolean }> {
  let done = 0
  let dimensions = model.dimensions
  for (let batch = 0; batch < mostBatches && !signal.aborted; batch += 1) {
    const passages = await listUnembedded(database, model.id, batchSize)
    if (passages.length === 0) return { done, finished: true }
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const vectors = await embedder.embed(passages.map(textOf), 'passage', inTime)
    dimensions ??= vectors[0]!.length
    checkDimensions(vectors, dimensions)
    const embedded = passages.map(({ entity_id, ordinal, revision }, at) => ({
      entity_id,
      ordinal,
      revision,
      vector: vectors[at]!,
    }))
    const known = { id: model.id, dimensions }
    done += await database.transaction((tx) => insertEmbeddings(tx, known, embedded))
  }
  return { done, finished: false }
}

/** Title and headings say what a passage is about. Never empty: providers refuse that. */
function textOf({ title, heading_path, text }: Unembedded): string {
  const whole = [[title, ...heading_path].filter(Boolean).join(' › '), text].filter(Boolean).join('\n\n')
  return whole.slice(0, longestText).toWellFormed().trim() || '-'
}

function checkDimensions(vectors: readonly number[][], dimensions: number): void {
  const other = vectors.find((vector) => vector.length !== dimensions)
  if (!other) return
  throw new EmbeddingError(
    `The embedding model has answered with ${other.length} dimensions after ${dimensions}. Give the model another name in EMBEDDING_MODEL when it has changed.`,
    null,
  )
}
