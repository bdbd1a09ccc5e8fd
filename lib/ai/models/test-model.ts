import type { ModelTest } from '../../contract/model.ts'
import { type Abilities, toWireAbilities } from '../adapt/abilities.ts'
import { ModelError, type ModelErrorCode } from '../model.ts'
import { isAnthropic } from '../wires/server-address.ts'
import { type ModelProvider, type ModelSettings, silenceOf } from './model-provider.ts'

/** Timeout including retries. */
const defaultTimeoutMs = 20_000

/** How long a test may take: a local server may have to load the model first. */
export const testTimeoutOf = (settings: ModelSettings): number =>
  isAnthropic(settings.baseUrl, settings.wire ?? 'messages') ? defaultTimeoutMs : silenceOf(settings)

const request = {
  system: 'You are asked whether the connection works. Answer with the one word OK.',
  messages: [{ role: 'user' as const, content: 'Does it work?' }],
  tools: [],
}

/** Tests the current model with a tiny call, then finds out what its server takes. A failure is part of the result. */
export async function testModel(
  models: Pick<ModelProvider, 'current' | 'probe'>,
  { now, timeoutMs = defaultTimeoutMs }: { now: () => Date; timeoutMs?: number },
): Promise<ModelTest> {
  const started = now().getTime()
  const toTest = (
    model: string,
    result: Pick<ModelTest, 'ok' | 'code' | 'message' | 'advice'> & Partial<Pick<ModelTest, 'abilities'>>,
  ): ModelTest => ({
    abilities: null,
    ...result,
    model,
    duration_ms: Math.max(0, now().getTime() - started),
  })
  const current = models.current()
  if (current.mode === 'offline') return toTest(current.name, noKey)

  let waiting = ''
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const onStatus = (message: string) => {
      waiting = message
    }
    await current.callModel({ ...request, signal, onStatus })
    const abilities = (await models.probe?.(signal)) ?? null
    return toTest(current.name, {
      ok: true,
      code: 'ok',
      message: `${current.name} answered.`,
      advice: adviceOf(abilities?.found),
      abilities: abilities && toWireAbilities(abilities.found, abilities.wire),
    })
  } catch (error) {
    return toTest(current.name, explain(error, { waiting, timeoutMs }))
  }
}

const noKey = {
  ok: false,
  code: 'no_key',
  message: 'No API key is set, so the offline companion answers. It works without a model.',
  advice: 'Enter an API key in Settings → Model, or the address of a local model.',
}

const adviceOf = (found: Abilities | undefined): string | null =>
  found?.tools === false ? noTools : found?.manyTools === false ? fewTools : null

const fewTools =
  'It did not find the right tool in a long list. Give its companions fewer tools in Settings → Companions, or choose another model.'

const noTools =
  'It did not read the result of a tool, so it cannot search or read. Choose a model that calls tools, or give it a larger context.'

function explain(error: unknown, { waiting, timeoutMs }: { waiting: string; timeoutMs: number }) {
  if (error instanceof ModelError) {
    return { ok: false, code: error.code, message: error.message, advice: advice[error.code] ?? null }
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = `The model did not answer within ${timeoutMs / 1000} seconds.${waiting && ` ${waiting}`}`
    return { ok: false, code: 'model_silent', message, advice: advice.model_silent }
  }
  return { ok: false, code: 'model_failed', message: messageOf(error), advice: advice.model_failed }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const advice: Record<ModelErrorCode, string | null> = {
  key_unreadable: null,
  model_unauthorized:
    'Compare the API key with the one in the provider’s console: it may be cut off, revoked, or of another account.',
  model_not_found: 'Check the model’s name for typos, and the address if one is set.',
  model_unreachable:
    'Check the network of the machine that Void runs on, a proxy in between, and the address if one is set.',
  model_overloaded: 'This is temporary. The key and the model’s name are correct.',
  model_rate_limited: 'Wait a moment, or raise the limit with the provider. The key is correct.',
  model_silent:
    'Try again. If there is still no response, check the provider’s status page or the local model’s log.',
  model_bad_request:
    'The server at the other end may speak another protocol. Check its address and its kind.',
  model_failed: 'Try again in a moment. If it persists, see Void’s log.',
}
