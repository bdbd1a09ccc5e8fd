// Which model answers. Decided again for each turn, because a key that is a reference is resolved at use: a key file
// that is changed takes effect with the next message.

import { setTimeout as delay } from 'node:timers/promises'
import { asLocalFields } from '../../core/schedule/calendar.ts'
import { machineZone } from '../../core/schedule/zoned.ts'
import { type Abilities, allAbilities, takesThinking, unknownAbilities } from '../adapt/abilities.ts'
import { adaptTo } from '../adapt/adapt-to.ts'
import { type CallModel, ModelError, type ModelRequest } from '../model.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { resolveSecret } from '../secret.ts'
import { chatWire } from '../wires/chat-completions.ts'
import { messagesWire } from '../wires/messages.ts'
import { isAnthropic } from '../wires/server-address.ts'
import type { Wire, WireName } from '../wires/wire.ts'
import { createModelLister, type ListedModels } from './list-models.ts'
import type { ModelServers } from './model-servers.ts'
import { probeServer } from './probe-server.ts'

export type ModelSettings = {
  /** Default: `messages`. */
  wire?: WireName
  /** The key itself or a reference to it (`env:NAME`, `file:/path`, `secret:NAME`, `bw:ITEM/FIELD`); `null`: none. */
  apiKey: string | null
  baseUrl: string | null
  model: string
  /** Longest answer in tokens; `null`: the model's own, as its provider lists it. */
  maxTokens: number | null
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
  /** Whether it may be told how much to think. Default: no. */
  takesThinking?: boolean
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
  probe?(signal: AbortSignal): Promise<Probed | null>
}

/** What a server was found to take, on the wire that it speaks. */
type Probed = { found: Abilities; wire: WireName }

const noModels = 'No model is connected, so there is nothing to choose from.'
export const offlineName = 'offline'
/** The name of a model that a request brings along. */
export const replacedName = 'replaced'

type Connected = {
  answering: (name: string | null | undefined) => CurrentModel
  small: CurrentModel | null
  list: () => Promise<ListedModels>
  probe: (signal: AbortSignal) => Promise<Probed>
}

/** Maximum tokens of the small model's answer: a line of JSON. */
const maxSmallTokens = 300

/** Local servers that speak the Messages API need no key, but the client has to send one. */
const noKey = 'none'

export type ModelProviderDeps = {
  now: () => Date
  /** The time zone in which the offline companion reads days. Default: the machine's. */
  zone?: () => string
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
  {
    now,
    zone = machineZone,
    resolve = resolveSecret,
    scrub = (text) => text,
    servers = noServers,
  }: ModelProviderDeps,
): ModelProvider {
  const offline: CurrentModel = {
    mode: 'offline',
    name: offlineName,
    callModel: createOfflineModel({ now: () => asLocalFields(now(), zone()), zone }),
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
  const abilitiesOf = (name: string) => deps.servers.abilities(serverOf(name))
  const online = (name: string, maxTokens: number | null): CurrentModel => ({
    mode: 'online',
    name,
    takesThinking: takesThinking(abilitiesOf(name), wire) !== false,
    callModel: async (request) => {
      const { callModel, limitOf } = await client()
      const server = serverOf(name)
      return await adaptTo(callModel(name, maxTokens ?? (await limitOf(name))), {
        wire,
        abilities: () => abilitiesOf(name),
        learn: (found) => deps.servers.learn(server, { ...abilitiesOf(name), ...found }),
      })(request)
    },
  })
  return {
    answering: (name) => online(name ?? settings.model, settings.maxTokens),
    small: settings.smallModel === null ? null : online(settings.smallModel, maxSmallTokens),
    list: async () => (await client()).list(),
    async probe(signal) {
      const { model } = settings
      if (isAnthropic(baseUrl, wire)) return { found: abilitiesOf(model), wire }
      const { callModel, countsTokens } = await client()
      const found = await probeServer(callModel(model, settings.maxTokens ?? probeTokens), {
        ...{ wire, signal },
        countsTokens: (request) => countsTokens(model, request, signal),
      })
      await deps.servers.learn(serverOf(model), found)
      return { found, wire }
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
  const { countsTokens, createModelClient, makeCallModel } = await import('../wires/call-model.ts')
  const { wire = 'messages', baseUrl } = settings
  const client = createModelClient({ wire: wires[wire], apiKey, baseURL: baseUrl })
  const silenceMs = silenceOf(settings)
  const list = createModelLister({ client, now })
  return {
    callModel: (model: string, maxTokens: number) =>
      makeCallModel({ client, model, maxTokens, scrub, silenceMs }),
    countsTokens: (model: string, request: ModelRequest, signal: AbortSignal) =>
      countsTokens({ client, model }, request, signal),
    list,
    limitOf: (model: string) => limitOf(list(), model),
  }
}

/** Maximum tokens of an answer where nobody says what the model's own is. */
const defaultMaxTokens = 16_384
/** The same of a probe, whose answers are short. */
const probeTokens = 4096
/** Milliseconds that a call waits for the list of models. */
const listWaitMs = 2000

/** The longest answer of a model, as its provider lists it. A known context leaves room for what is asked. */
async function limitOf(listed: Promise<ListedModels>, name: string): Promise<number> {
  const late = new AbortController()
  const none = delay(listWaitMs, null, { signal: late.signal }).catch(() => null)
  const models = (await Promise.race([listed, none]))?.models ?? []
  late.abort()
  const { max_tokens, context = Number.POSITIVE_INFINITY } = models.find(({ id }) => id === name) ?? {}
  return max_tokens ?? Math.min(defaultMaxTokens, Math.ceil(context / 4))
}

const wires: Record<WireName, Wire> = { messages: messagesWire, chat: chatWire }
