// The models that a provider offers, as its `/v1/models` lists them: asked at most every ten minutes, read within limits.

import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { cleanLine } from '../../text/clean.ts'
import { chunksOf } from './node-fetch.ts'

type ListedModel = { id: string; name: string }

/** `problem`: why there are none, for the owner. */
export type ListedModels = { models: ListedModel[]; problem: string | null }

/** Never rejects. */
export type ModelLister = () => Promise<ListedModels>

export type ModelListerDeps = {
  client: Pick<Anthropic, 'get'>
  now: () => Date
  timeoutMs?: number
}

const freshMs = 10 * 60_000
/** After this time a provider that did not list its models is asked again. */
const retryMs = 30_000
const maxBytes = 1024 * 1024
const maxModels = 200
const maxName = 200

const Listed = z.object({
  data: z.array(z.object({ id: z.string(), display_name: z.string().nullish().catch(null) })),
})

export function createModelLister({ client, now, timeoutMs = 10_000 }: ModelListerDeps): ModelLister {
  let cached: { until: number; listed: Promise<ListedModels> } | null = null

  return () => {
    if (cached && now().getTime() < cached.until) return cached.listed
    const entry = { until: now().getTime() + freshMs, listed: load() }
    cached = entry
    return entry.listed

    async function load(): Promise<ListedModels> {
      try {
        return { models: await read(), problem: null }
      } catch {
        entry.until = now().getTime() + retryMs
        return { models: [], problem: 'The provider did not list its models. Type a model’s name instead.' }
      }
    }
  }

  async function read(): Promise<ListedModel[]> {
    const signal = AbortSignal.timeout(timeoutMs)
    const query = { limit: maxModels }
    const response = await client.get('/v1/models', { query, signal, maxRetries: 0 }).asResponse()
    const { data } = Listed.parse(JSON.parse(await readText(response)))
    const models = data.slice(0, maxModels).flatMap(({ id, display_name }) => {
      const named = { id: cleanLine(id), name: cleanLine(display_name ?? '').slice(0, maxName) }
      return named.id === '' || named.id.length > maxName ? [] : [{ ...named, name: named.name || named.id }]
    })
    return [...new Map(models.map((model) => [model.id, model])).values()]
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new RangeError('the list of models is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
