// Which model answers. Decided again for each turn, because a key that is a reference is resolved at use: a key file
// that is changed takes effect with the next message.

import { z } from 'zod'
import { readJson } from '../../core/net/read-body.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { createAnthropicClient } from '../anthropic.ts'
import type { CallModel } from '../model.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { resolveSecret } from '../secret.ts'

export type ModelSettings = {
  /** The key itself or a reference to it (`env:NAME`, `file:/path`, `secret:NAME`, `bw:ITEM/FIELD`); `null`: none. */
  apiKey: string | null
  baseUrl: string | null
  model: string
  maxTokens: number
  /** A small, fast model for side tasks such as titles; `null`: rules do those. */
  smallModel: string | null
}

export type CurrentModel = {
  /** `offline` is the companion of rules that needs no key. */
  mode: 'online' | 'offline'
  name: string
  callModel: CallModel
}

export type ModelProvider = {
  /** The model that answers: the one of that name, or the configured one; offline the companion of rules for both. */
  current(name?: string | null): CurrentModel
  /** The small model; `null` without a key, or where none is configured. */
  small(): CurrentModel | null
  /** The models that the provider offers. Never rejects. */
  list(): Promise<ListedModels>
}

type ListedModel = { id: string; name: string }

/** `problem`: why the list is empty, for the owner. */
export type ListedModels = { models: ListedModel[]; problem: string | null }

const noModels = 'No model is connected, so there is nothing to choose from.'
export const offlineName = 'offline'
/** The name of a model that a request brings along. */
export const replacedName = 'replaced'

type Connected = {
  answering: (name: string | null | undefined) => CurrentModel
  small: CurrentModel | null
  list: () => Promise<ListedModels>
}

/** Maximum tokens of the small model's answer: a line of JSON. */
const maxSmallTokens = 300

/** Local servers that speak the Messages API need no key, but the client has to send one. */
const noKey = 'none'

export type ModelProviderDeps = {
  now: () => Date
  /** Resolves `apiKey` at use; `null`: no key. Default: from the environment and files. */
  resolve?: (spec: string | null) => string | null
  /** Takes secrets out of what the provider says, beside the key. */
  scrub?: Scrub
}

type Scrub = (text: string) => string

export function createModelProvider(
  readSettings: () => ModelSettings,
  { now, resolve = resolveSecret, scrub = (text) => text }: ModelProviderDeps,
): ModelProvider {
  const offline: CurrentModel = {
    mode: 'offline',
    name: offlineName,
    callModel: createOfflineModel({ now }),
  }
  let cached: { key: string; settings: ModelSettings; models: Connected } | null = null

  function connected(): Connected | null {
    const settings = readSettings()
    const key = resolve(settings.apiKey) ?? (settings.baseUrl ? noKey : null)
    if (key === null) return null
    if (cached?.key !== key || cached.settings !== settings) {
      cached = { key, settings, models: connect(key, settings, { now, scrub }) }
    }
    return cached.models
  }

  return {
    current: (name) => connected()?.answering(name) ?? offline,
    small: () => connected()?.small ?? null,
    async list() {
      try {
        return (await connected()?.list()) ?? { models: [], problem: noModels }
      } catch (error) {
        return { models: [], problem: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

function connect(apiKey: string, settings: ModelSettings, deps: ClientDeps): Connected {
  let loaded: ReturnType<typeof loadClient> | null = null
  const client = () => {
    loaded ??= loadClient(apiKey, settings, deps)
    return loaded
  }
  const online = (name: string, maxTokens: number): CurrentModel => ({
    mode: 'online',
    name,
    callModel: async (request) => (await client()).callModel(name, maxTokens)(request),
  })
  return {
    answering: (name) => online(name ?? settings.model, settings.maxTokens),
    small: settings.smallModel === null ? null : online(settings.smallModel, maxSmallTokens),
    list: async () => (await client()).list(),
  }
}

type ClientDeps = { now: () => Date; scrub: Scrub }

/** The SDK is loaded with the first call: it takes a tenth of a second and 30 MB. */
async function loadClient(apiKey: string, { baseUrl }: ModelSettings, { now, scrub }: ClientDeps) {
  const { createAnthropicClient, makeCallModel } = await import('../anthropic.ts')
  const client = createAnthropicClient({ apiKey, ...(baseUrl ? { baseURL: baseUrl } : {}) })
  return {
    callModel: (model: string, maxTokens: number) => makeCallModel({ client, model, maxTokens, scrub }),
    list: createModelLister({ client, now }),
  }
}

export type ModelListerDeps = {
  client: Pick<ReturnType<typeof createAnthropicClient>, 'get'>
  now: () => Date
  timeoutMs?: number
}

const freshMs = 10 * 60_000
/** How soon a provider that did not list its models is asked again. */
const retryMs = 30_000
const listBounds = { bytes: 1024 * 1024, values: 20_000, depth: 50 }
const maxModels = 200
const maxNameLength = 200

const ModelList = z.object({
  data: z.array(z.object({ id: z.string(), display_name: z.string().nullish().catch(null) })),
})

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
    const response = await client.get('/v1/models', { query, signal, maxRetries: 0 }).asResponse()
    const { data } = ModelList.parse(await readJson(response, listBounds))
    const models = data.slice(0, maxModels).flatMap(({ id, display_name }) => {
      const model = { id: cleanLine(id), name: cleanLine(display_name ?? '').slice(0, maxNameLength) }
      return model.id === '' || model.id.length > maxNameLength
        ? []
        : [{ ...model, name: model.name || model.id }]
    })
    return [...new Map(models.map((model) => [model.id, model])).values()]
  }
}
