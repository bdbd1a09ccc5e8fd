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
const maxTextLength = 8000
const timeoutMs = 30_000

/**
 * Embeds the passages that the model has not embedded, a batch at a time, each stored before the next begins: a crash or
 * a failure loses one batch at most. How many were stored. Rejects when the provider fails or the signal aborts.
 */
export async function embedPassages(
  { database, embedder }: { database: Database; embedder: Embedder },
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<number> {
  let done = 0
  let dimensions = model.dimensions
  for (;;) {
    signal.throwIfAborted()
    const passages = await listUnembedded(database, model.id, batchSize)
    if (passages.length === 0) return done
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
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
}

/** Title and headings say what a passage is about. Never empty: providers refuse that. */
function textOf({ title, heading_path, text }: Unembedded): string {
  const whole = [[title, ...heading_path].filter(Boolean).join(' › '), text].filter(Boolean).join('\n\n')
  return whole.slice(0, maxTextLength).toWellFormed().trim() || '-'
}

function checkDimensions(vectors: readonly number[][], dimensions: number): void {
  const other = vectors.find((vector) => vector.length !== dimensions)
  if (!other) return
  throw new EmbeddingError(
    `The embedding model has answered with ${other.length} dimensions after ${dimensions}. Give the model another name in EMBEDDING_MODEL when it has changed.`,
    null,
  )
}
