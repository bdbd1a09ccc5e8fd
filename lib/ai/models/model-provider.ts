// Which model answers. Decided again for each turn, because a key that is a reference is resolved at use: a key file
// that is changed takes effect with the next message.

import { z } from 'zod'
import { readJson } from '../../core/net/read-body.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { type Abilities, allAbilities, unknownAbilities } from '../adapt/abilities.ts'
import { adaptTo } from '../adapt/adapt-to.ts'
import { type CallModel, ModelError } from '../model.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { resolveSecret } from '../secret.ts'
import type { ModelClient } from '../wires/call-model.ts'
import { chatWire } from '../wires/chat-completions.ts'
import { messagesWire } from '../wires/messages.ts'
import { isAnthropic } from '../wires/server-address.ts'
import type { Wire, WireName } from '../wires/wire.ts'
import type { ModelServers } from './model-servers.ts'
import { probeServer } from './probe-server.ts'

export type ModelSettings = {
  /** Default: `messages`. */
  wire?: WireName
  /** The key itself or a reference to it (`env:NAME`, `file:/path`, `secret:NAME`, `bw:ITEM/FIELD`); `null`: none. */
  apiKey: string | null
  baseUrl: string | null
  model: string
  maxTokens: number
  /** A small, fast model for side tasks such as titles; `null`: rules do those. */
  smallModel: string | null
  /** Longest silence of a model, in milliseconds. Default: 90 s for Anthropic, 10 min for other servers. */
  silenceMs?: number | null
}

export type CurrentModel = {
  /** `offline` is the companion of rules that needs no key. */
  mode: 'online' | 'offline'
  name: string
  callModel: CallModel
  /** Why each call fails, where that is known before it is made. */
  problem?: string
}

export type ModelProvider = {
  /** The model that answers: the one of that name, or the configured one; offline the companion of rules for both. */
  current(name?: string | null): CurrentModel
  /** The small model; `null` without a key, or where none is configured. */
  small(): CurrentModel | null
  /** The models that the provider offers. Never rejects. */
  list(): Promise<ListedModels>
  /** Finds out what the server takes, and keeps it; `null` offline. Rejects when the model cannot be asked. */
  probe?(signal: AbortSignal): Promise<Abilities | null>
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
  probe: (signal: AbortSignal) => Promise<Abilities>
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
  /** What servers were found to take. Default: nothing is known of any. */
  servers?: Pick<ModelServers, 'abilities' | 'learn'>
}

const noServers: Pick<ModelServers, 'abilities' | 'learn'> = {
  abilities: ({ baseUrl, wire }) => (isAnthropic(baseUrl, wire) ? allAbilities : unknownAbilities),
  learn: async () => {},
}

type Scrub = (text: string) => string

export function createModelProvider(
  readSettings: () => ModelSettings,
  { now, resolve = resolveSecret, scrub = (text) => text, servers = noServers }: ModelProviderDeps,
): ModelProvider {
  const offline: CurrentModel = {
    mode: 'offline',
    name: offlineName,
    callModel: createOfflineModel({ now }),
  }
  let cached: { key: string; settings: ModelSettings; models: Connected } | null = null

  function connected(): Connected | null {
    const settings = readSettings()
    let key: string | null
    try {
      key = resolve(settings.apiKey) ?? (settings.baseUrl ? noKey : null)
    } catch (error) {
      return withoutKey(settings, error)
    }
    if (key === null) return null
    if (cached?.key !== key || cached.settings !== settings) {
      cached = { key, settings, models: connect(key, settings, { now, scrub, servers }) }
    }
    return cached.models
  }

  return {
    current: (name) => connected()?.answering(name) ?? offline,
    small: () => connected()?.small ?? null,
    probe: async (signal) => (await connected()?.probe(signal)) ?? null,
    list: async () => (await connected()?.list()) ?? { models: [], problem: noModels },
  }
}

/** A model whose key is there and cannot be read: it is not offline by choice, so each call says what is wrong. */
function withoutKey(settings: ModelSettings, error: unknown): Connected {
  const problem = error instanceof Error ? error.message : String(error)
  const fail = async () => {
    throw new ModelError('key_unreadable', problem, { retryable: true, cause: error })
  }
  return {
    answering: (name) => ({ mode: 'online', name: name ?? settings.model, callModel: fail, problem }),
    small: null,
    list: async () => ({ models: [], problem }),
    probe: fail,
  }
}

function connect(apiKey: string, settings: ModelSettings, deps: ClientDeps): Connected {
  let loaded: ReturnType<typeof loadClient> | null = null
  const client = () => {
    loaded ??= loadClient(apiKey, settings, deps)
    return loaded
  }
  const { wire = 'messages', baseUrl } = settings
  const serverOf = (model: string) => ({ wire, baseUrl, model })
  const online = (name: string, maxTokens: number): CurrentModel => ({
    mode: 'online',
    name,
    callModel: async (request) => {
      const callModel = (await client()).callModel(name, maxTokens)
      const server = serverOf(name)
      const abilities = deps.servers.abilities(server)
      const learn = (found: Partial<Abilities>) => deps.servers.learn(server, { ...abilities, ...found })
      return await adaptTo(callModel, abilities, learn)(request)
    },
  })
  return {
    answering: (name) => online(name ?? settings.model, settings.maxTokens),
    small: settings.smallModel === null ? null : online(settings.smallModel, maxSmallTokens),
    list: async () => (await client()).list(),
    async probe(signal) {
      const server = serverOf(settings.model)
      if (isAnthropic(baseUrl, wire)) return allAbilities
      const abilities = await probeServer(
        (await client()).callModel(settings.model, settings.maxTokens),
        wire,
        signal,
      )
      await deps.servers.learn(server, abilities)
      return abilities
    },
  }
}

type ClientDeps = { now: () => Date; scrub: Scrub; servers: Pick<ModelServers, 'abilities' | 'learn'> }

const hostedSilenceMs = 90_000
/** A local server loads a model, and reads a long prompt, before it sends anything. */
const localSilenceMs = 10 * 60_000

/** How long a model of these settings may say nothing. */
export const silenceOf = ({ wire = 'messages', baseUrl, silenceMs }: ModelSettings): number =>
  silenceMs ?? (isAnthropic(baseUrl, wire) ? hostedSilenceMs : localSilenceMs)

/** The SDK is loaded with the first call: it takes a tenth of a second and 30 MB. */
async function loadClient(apiKey: string, settings: ModelSettings, { now, scrub }: ClientDeps) {
  const { createModelClient, makeCallModel } = await import('../wires/call-model.ts')
  const { wire = 'messages', baseUrl } = settings
  const client = createModelClient({ wire: wires[wire], apiKey, baseURL: baseUrl })
  const silenceMs = silenceOf(settings)
  return {
    callModel: (model: string, maxTokens: number) =>
      makeCallModel({ client, model, maxTokens, scrub, silenceMs }),
    list: createModelLister({ client, now }),
  }
}

const wires: Record<WireName, Wire> = { messages: messagesWire, chat: chatWire }

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

/** `data` as the Messages API and OpenAI have it; some servers send the list itself. */
const ModelList = z.union([
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.array(z.unknown()),
])
const ListedEntry = z.object({
  id: z.string(),
  display_name: z.string().nullish().catch(null),
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
    const response = await client.http.get('/models', { query, signal, maxRetries: 0 }).asResponse()
    const entries = ModelList.parse(await readJson(response, listBounds))
    const models = entries.slice(0, maxModels).flatMap((entry) => {
      const { data: known } = ListedEntry.safeParse(entry)
      if (!known) return []
      const { id, display_name } = known
      const model = { id: cleanLine(id), name: cleanLine(display_name ?? '').slice(0, maxNameLength) }
      return model.id === '' || model.id.length > maxNameLength
        ? []
        : [{ ...model, name: model.name || model.id }]
    })
    return [...new Map(models.map((model) => [model.id, model])).values()]
  }
}
