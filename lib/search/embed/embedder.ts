import { z } from 'zod'
import { readJson, readText } from '../../core/net/read-body.ts'
import { createScrubber } from '../../core/scrubber.ts'

/** Turns texts into vectors whose directions are close for similar meanings. */
export type Embedder = {
  /** The protocol: `voyage` or `openai`. */
  readonly provider: EmbeddingProvider
  readonly url: string
  readonly model: string
  /**
   * A vector for each text, all of the same length, in order. Passages and questions may be embedded differently.
   * Rejects with an `EmbeddingError` if the provider does not answer or its answer is invalid.
   */
  embed(texts: readonly string[], use: 'passage' | 'question', signal: AbortSignal): Promise<number[][]>
}

type EmbeddingProvider = 'voyage' | 'openai'

export type EmbeddingSettings = {
  provider: EmbeddingProvider
  /** Without a trailing slash; `/embeddings` is appended. */
  url: string
  model: string
  /** The key, or a reference to it, as `resolveSecret` takes it; null: the server needs none. */
  apiKey: string | null
}

/** Reason for missing vectors: `status` is the provider's, null if it did not answer. */
export class EmbeddingError extends Error {
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

// Voyage, and every server that speaks OpenAI's /embeddings: Ollama, llama.cpp, LM Studio and many more. They differ in
// one field, which tells Voyage whether a text is a passage or a question.

const maxNumbers = 4000

/** Of an answer with that many vectors, and what a server says beside them. */
const boundsOf = (count: number) => ({
  bytes: 100_000 + count * maxNumbers * 30,
  values: 1000 + count * (maxNumbers + 10),
  depth: 20,
})

const maxErrorBytes = 100_000

const answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(maxNumbers) })),
})

/** Maximum characters kept of a provider's error. */
const maxReasonLength = 300

type HttpEmbedderOptions = Omit<EmbeddingSettings, 'apiKey'> & {
  /** The current key; null: the server needs none. */
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
      const options = provider === 'voyage' ? { input_type: kind } : { encoding_format: 'float' }
      const body = JSON.stringify({ model, input: texts, ...options })
      const response = await send(`${url}/embeddings`, { body, key: readKey(), signal, count: texts.length })
      return readVectors(response, texts.length)
    },
  }
}

async function send(
  url: string,
  { body, key, signal, count }: { body: string; key: string | null; signal: AbortSignal; count: number },
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!response.ok) throw new EmbeddingError(await reasonOf(response, key), response.status)
    return await readJson(response, boundsOf(count))
  } catch (error) {
    if (error instanceof EmbeddingError) throw error
    throw new EmbeddingError('The embedding provider returned an invalid response.', null, error)
  }
}

async function reasonOf(response: Response, key: string | null): Promise<string> {
  const said = await readText(response, maxErrorBytes).catch(() => '')
  const { scrub } = createScrubber(key === null ? [] : [key])
  const text = scrub(said).slice(0, maxReasonLength).replace(/\s+/g, ' ')
  return `The embedding provider answered ${response.status}${text ? `: ${text}` : ''}.`
}

function readVectors(body: unknown, count: number): number[][] {
  const parsed = answer.safeParse(body)
  if (!parsed.success)
    throw new EmbeddingError('The embedding provider returned no vectors.', null, parsed.error)
  const vectors = parsed.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  const size = vectors[0]?.length
  if (vectors.length !== count || vectors.some((vector) => vector.length !== size)) {
    throw new EmbeddingError(
      `The embedding provider returned ${vectors.length} vectors for ${count} texts.`,
      null,
    )
  }
  return vectors
}
