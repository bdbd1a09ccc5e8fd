/** Turns texts into vectors whose directions lie close where meanings do. */
export type Embedder = {
  /** `voyage` or `openai`: which of the two protocols it speaks. */
  readonly provider: EmbeddingProvider
  readonly url: string
  readonly model: string
  /**
   * A vector for each text, all of the same length, in their order. Passages and questions may be embedded
   * differently. Rejects with an `EmbeddingError` when the provider does not answer or answers with nonsense.
   */
  embed(texts: readonly string[], use: 'passage' | 'question', signal: AbortSignal): Promise<number[][]>
}

type EmbeddingProvider = 'voyage' | 'openai'

export type EmbeddingSettings = {
  provider: EmbeddingProvider
  /** Without a slash at the end; `/embeddings` comes behind it. */
  url: string
  model: string
  /** The key, or where to find it, as `resolveSecret` takes it; null: the server needs none. */
  apiKey: string | null
}

/** Why there are no vectors: `status` where the provider answered, null where it did not. */
export class EmbeddingError extends Error {
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}
