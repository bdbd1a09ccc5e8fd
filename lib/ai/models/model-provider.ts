// Which model answers. Decided again for each turn, because a key that is a reference is resolved at use: a key file
// that is changed takes effect with the next message.

import type { CallModel } from '../model.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { resolveSecret } from '../secret.ts'
import { createModelLister, type ListedModels } from './list-models.ts'

export type ModelSettings = {
  /** The key itself or a reference to it (`env:NAME`, `file:/path`, `secret:NAME`, `bw:ITEM/FIELD`); `null`: none. */
  apiKey: string | null
  baseUrl: string | null
  model: string
  maxTokens: number
  /** A small, fast model for what goes on beside the answers; `null`: rules do that. */
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
  /** The one that sorts messages and names conversations; `null` without a key, or where none is wanted. */
  small(): CurrentModel | null
  /** The models that the provider offers. Never rejects. */
  list(): Promise<ListedModels>
}

const noModels = 'No model is connected, so there is nothing to choose from.'
export const offlineName = 'offline'
/** What a model is called that a request brings along. */
export const replacedName = 'replaced'

type Connected = {
  answering: (name: string | null | undefined) => CurrentModel
  small: CurrentModel | null
  list: () => Promise<ListedModels>
}

/** Tokens of the small model's answer, at most: a line of JSON. */
const smallAnswer = 300

/** Local servers that speak the Messages API want no key, but the client wants one to send. */
const noKey = 'none'

export type ModelProviderDeps = {
  now: () => Date
  /** What `apiKey` refers to at this moment; `null`: no key. Left out: what the environment and files know. */
  resolve?: (spec: string | null) => string | null
}

export function createModelProvider(
  readSettings: () => ModelSettings,
  { now, resolve = resolveSecret }: ModelProviderDeps,
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
      cached = { key, settings, models: connect(key, settings, now) }
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

function connect(apiKey: string, settings: ModelSettings, now: () => Date): Connected {
  let loaded: ReturnType<typeof loadClient> | null = null
  const client = () => {
    loaded ??= loadClient(apiKey, settings, now)
    return loaded
  }
  const online = (name: string, maxTokens: number): CurrentModel => ({
    mode: 'online',
    name,
    callModel: async (request) => (await client()).callModel(name, maxTokens)(request),
  })
  return {
    answering: (name) => online(name ?? settings.model, settings.maxTokens),
    small: settings.smallModel === null ? null : online(settings.smallModel, smallAnswer),
    list: async () => (await client()).list(),
  }
}

/** The SDK is loaded with the first call: it takes a tenth of a second and 30 MB. */
async function loadClient(apiKey: string, { baseUrl }: ModelSettings, now: () => Date) {
  const { createAnthropicClient, makeCallModel } = await import('./anthropic.ts')
  const client = createAnthropicClient({ apiKey, ...(baseUrl ? { baseURL: baseUrl } : {}) })
  return {
    callModel: (model: string, maxTokens: number) => makeCallModel({ client, model, maxTokens }),
    list: createModelLister({ client, now }),
  }
}
