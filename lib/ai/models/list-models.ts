// The models that servers offer: the connected one, and those that run on this machine.

import { z } from 'zod'
import type { LocalModels } from '../../contract/model.ts'
import { readJson } from '../../core/net/read-body.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { ModelClient } from '../wires/call-model.ts'

/** `max_tokens`: of its longest answer; `context`: of its whole context. Default: the server does not say. */
type ListedModel = { id: string; name: string; max_tokens?: number; context?: number }

/** `problem`: why the list is empty, for the owner. */
export type ListedModels = { models: ListedModel[]; problem: string | null }

export type ModelListerDeps = {
  client: ModelClient
  now: () => Date
  timeoutMs?: number
}

const freshMs = 10 * 60_000
/** How soon a provider that did not list its models is asked again. */
const retryMs = 30_000
const listBounds = { bytes: 1024 * 1024, values: 20_000, depth: 50 }
const maxModels = 200
const maxNameLength = 200

/** Lists the provider's models (`/v1/models`), at most once in ten minutes. Never rejects. */
export function createModelLister({
  client,
  now,
  timeoutMs = 10_000,
}: ModelListerDeps): () => Promise<ListedModels> {
  let cached: { until: number; listed: Promise<ListedModels> } | null = null

  return () => {
    if (cached && now().getTime() < cached.until) return cached.listed
    const entry = { until: now().getTime() + freshMs, listed: load() }
    cached = entry
    return entry.listed

    async function load(): Promise<ListedModels> {
      try {
        return { models: await fetchModels(), problem: null }
      } catch {
        entry.until = now().getTime() + retryMs
        return { models: [], problem: 'The provider did not list its models. Type a model’s name instead.' }
      }
    }
  }

  async function fetchModels(): Promise<ListedModel[]> {
    const signal = AbortSignal.timeout(timeoutMs)
    const query = { limit: maxModels }
    return await readModels(await client.http.get('/models', { query, signal, maxRetries: 0 }).asResponse())
  }
}

// A list is read alike, whoever asks for it.

/** `data` as the Messages API and OpenAI have it; some servers send the list itself. */
const ModelList = z.union([
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.array(z.unknown()),
])
const tokens = z.int().positive().nullish().catch(null)
const ListedEntry = z.object({
  id: z.string(),
  display_name: z.string().nullish().catch(null),
  // Anthropic; LiteLLM.
  max_tokens: tokens,
  max_output_tokens: tokens,
  // OpenRouter.
  top_provider: z.object({ max_completion_tokens: tokens }).nullish().catch(null),
  // Anthropic; OpenRouter; vLLM.
  max_input_tokens: tokens,
  context_length: tokens,
  max_model_len: tokens,
})

/** The models of a `/v1/models`, each once. One bad entry spoils no list; what is no list rejects. */
async function readModels(response: Response): Promise<ListedModel[]> {
  const entries = ModelList.parse(await readJson(response, listBounds))
  const models = entries.slice(0, maxModels).flatMap((entry) => {
    const { data } = ListedEntry.safeParse(entry)
    const id = cleanLine(data?.id ?? '')
    if (!data || id === '' || id.length > maxNameLength) return []
    const name = cleanLine(data.display_name ?? '').slice(0, maxNameLength) || id
    const longest = data.max_output_tokens ?? data.top_provider?.max_completion_tokens ?? data.max_tokens
    const whole = data.max_model_len ?? data.context_length ?? data.max_input_tokens
    return [{ id, name, ...(longest ? { max_tokens: longest } : {}), ...(whole ? { context: whole } : {}) }]
  })
  return [...new Map(models.map((model) => [model.id, model])).values()]
}

/** Servers that people run on their own machine, at the addresses that they have without being told another. */
const usual = [
  { name: 'Ollama', base_url: 'http://127.0.0.1:11434' },
  { name: 'LM Studio', base_url: 'http://127.0.0.1:1234' },
]
const localTimeoutMs = 1500

/** Those that answer now, with the names of their models. Never rejects. */
export async function findLocalModels(servers = usual): Promise<LocalModels['items']> {
  const found = await Promise.all(
    servers.map(async (server) => ({ ...server, models: await listLocal(server) })),
  )
  return found.flatMap(({ models, ...server }) => (models ? [{ ...server, models }] : []))
}

/** `null` where nothing answers as such a server does. */
async function listLocal({ base_url }: { base_url: string }): Promise<string[] | null> {
  try {
    const signal = AbortSignal.timeout(localTimeoutMs)
    const response = await fetch(`${base_url}/v1/models`, { signal, redirect: 'manual' })
    if (!response.ok) return null
    return (await readModels(response)).map(({ id }) => id)
  } catch {
    return null
  }
}
