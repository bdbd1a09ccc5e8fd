import { z } from 'zod'

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

// Voyage, and every server that speaks OpenAI's /embeddings: Ollama, llama.cpp, LM Studio and many more. They differ
// in one field: Voyage is told whether a text is a passage or a question.

const answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(4000) })),
})

/** Of what a provider says about a failure. */
const maxReasonLength = 300

type HttpEmbedderOptions = Omit<EmbeddingSettings, 'apiKey'> & {
  /** The key as it is now; null: the server needs none. */
  readKey: () => string | null
}

/** An embedder over HTTP. The key is read again for every call and is never part of a message. */
export function createHttpEmbedder({ provider, url, model, readKey }: HttpEmbedderOptions): Embedder {
  return {
    provider,
    url,
    model,
    async embed(texts, use, signal) {
      if (texts.length === 0) return []
      const kind = { passage: 'document', question: 'query' }[use]
      const asked = provider === 'voyage' ? { input_type: kind } : { encoding_format: 'float' }
      const body = JSON.stringify({ model, input: texts, ...asked })
      const response = await send(`${url}/embeddings`, { body, key: readKey(), signal })
      return readVectors(response, texts.length)
    },
  }
}

async function send(
  url: string,
  { body, key, signal }: { body: string; key: string | null; signal: AbortSignal },
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!response.ok) throw new EmbeddingError(await reasonOf(response), response.status)
    return await response.json()
  } catch (error) {
    if (error instanceof EmbeddingError) throw error
    throw new EmbeddingError('The embedding provider did not answer as it should.', null, error)
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = (await response.text().catch(() => '')).slice(0, maxReasonLength).replace(/\s+/g, ' ')
  return `The embedding provider answered ${response.status}${text ? `: ${text}` : ''}.`
}

function readVectors(body: unknown, count: number): number[][] {
  const parsed = answer.safeParse(body)
  if (!parsed.success) throw new EmbeddingError('The embedding provider sent no vectors.', null, parsed.error)
  const vectors = parsed.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  const size = vectors[0]?.length
  if (vectors.length !== count || vectors.some((vector) => vector.length !== size)) {
    throw new EmbeddingError(
      `The embedding provider sent ${vectors.length} vectors for ${count} texts.`,
      null,
    )
  }
  return vectors
}
