// Which model answers. Decided anew for each turn, because a key that is a reference is resolved at use: a key file
// that is changed takes effect with the next message.

import { createAnthropicClient, makeCallModel } from '../ai/anthropic.ts'
import type { CallModel } from '../ai/model.ts'
import { createOfflineModel } from '../ai/offline.ts'
import { resolveSecret } from '../ai/secret.ts'

export type ModelSettings = {
  /** The key itself or a reference to it (`env:NAME`, `file:/path`); `null`: none. */
  apiKey: string | null
  baseUrl: string | null
  model: string
  maxTokens: number
}

export type CurrentModel = {
  /** `offline` is the companion of rules that needs no key. */
  mode: 'online' | 'offline'
  name: string
  callModel: CallModel
}

export type ModelProvider = { current(): CurrentModel }

export const offlineName = 'offline'

/** Local servers that speak the Messages API want no key, but the client wants one to send. */
const noKey = 'none'

export function createModelProvider(settings: ModelSettings, { now }: { now: () => Date }): ModelProvider {
  const offline: CurrentModel = {
    mode: 'offline',
    name: offlineName,
    callModel: createOfflineModel({ now }),
  }
  let cached: { key: string; model: CurrentModel } | null = null

  return {
    current() {
      const key = resolveSecret(settings.apiKey) ?? (settings.baseUrl ? noKey : null)
      if (key === null) return offline
      if (cached?.key !== key) cached = { key, model: connect(key) }
      return cached.model
    },
  }

  function connect(apiKey: string): CurrentModel {
    const client = createAnthropicClient({
      apiKey,
      ...(settings.baseUrl ? { baseURL: settings.baseUrl } : {}),
    })
    return {
      mode: 'online',
      name: settings.model,
      callModel: makeCallModel({ client, model: settings.model, maxTokens: settings.maxTokens }),
    }
  }
}
