// The Messages API as a `CallModel`. The only file that imports the SDK.
//
// What is retried, and by whom: up to the first byte of a response the SDK tries again (429, 529, other 5xx, no
// connection). An error within a stream comes after a 200, where the SDK gives up; it is tried again here as long as no
// text was emitted. After that a retry would repeat it in other words, so the call fails instead, and the text stays. A
// stream that breaks off is never tried again here: the caller knows whether that is wanted.

import { setTimeout as delay } from 'node:timers/promises'
import Anthropic, { APIConnectionError, APIError, type ClientOptions } from '@anthropic-ai/sdk'
import { createStreamFold, readResponse } from './messages-stream.ts'
import {
  type CallModel,
  type ContentBlock,
  ModelError,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type ModelTool,
  noUsage,
  type TextBlock,
} from './model.ts'
import {
  type Failure,
  isTooLong,
  isTransient,
  reportRetries,
  toModelError,
  watchSilence,
} from './model-failure.ts'

export type AnthropicClientOptions = {
  /** The provider's key; any non-empty string for a local server that asks for none. */
  apiKey: string
  /** Default: the provider's own. The SDK's environment variables are ignored. */
  baseURL?: string | null
  fetch?: ClientOptions['fetch']
  /** Retries up to the first byte. Default: 2. */
  maxRetries?: number
}

/** A redirect is never followed, because the key would go along. */
export function createAnthropicClient(options: AnthropicClientOptions): Anthropic {
  const { apiKey, baseURL = null, maxRetries = 2, fetch } = options
  return new Anthropic({
    apiKey,
    baseURL,
    maxRetries,
    fetchOptions: { redirect: 'manual' },
    openTelemetry: false,
    ...(fetch ? { fetch } : {}),
  })
}

export type CallModelOptions = {
  client: Anthropic
  model: string
  /** Maximum tokens of an answer. */
  maxTokens: number
  /** Milliseconds without any data, before or within the answer, after which a call fails. Default: 90 s. */
  silenceMs?: number
  /** Takes secrets out of what the server says, beside the key. */
  scrub?: (text: string) => string
  /** Retries of an error within a stream. Default: 3. */
  maxOverloadRetries?: number
  /** The longest wait that a server may ask for; a longer one is an error at once. Default: 60 s. */
  maxWaitMs?: number
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export function makeCallModel(options: CallModelOptions): CallModel {
  const { maxOverloadRetries = 3, sleep = (ms, signal) => delay(ms, undefined, { signal }) } = options

  return async (request) => {
    for (let tries = 0; ; tries += 1) {
      const outcome = await callOnce(options, request)
      if (!('failure' in outcome)) return outcome
      const { failure, emitted } = outcome
      if (emitted || tries >= maxOverloadRetries || !isTransient(failure)) throw mapFailure(failure, options)
      const wait = 1000 * 2 ** tries
      request.onStatus?.(`The model is overloaded. Trying again in ${wait / 1000} s.`)
      await sleep(wait, request.signal).catch((error) => throwReason(request.signal, error))
    }
  }
}

/** An error within a stream, and whether text had been emitted before it. */
type BrokenStream = { failure: Failure; emitted: boolean }

async function callOnce(
  options: CallModelOptions,
  request: ModelRequest,
): Promise<ModelResponse | BrokenStream> {
  const { client, silenceMs = 90_000, maxWaitMs = 60_000 } = options
  const { onStatus = () => {} } = request
  const watch = watchSilence(request.signal)
  const fold = createStreamFold((text) => request.onTextDelta?.(text))
  const middleware = [reportRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries: client.maxRetries })]
  try {
    request.signal?.throwIfAborted()
    const call = client.post('/v1/messages', {
      body: toBody(options, request),
      stream: true,
      timeout: client.timeout,
      signal: watch.signal,
      middleware,
    })
    const failure = await readResponse(await call.asResponse(), fold, watch)
    if (failure) return { failure, emitted: fold.hasEmitted() }
    if (fold.isComplete()) return fold.response()
    throw new ModelError('model_unreachable', brokenOff, { retryable: true })
  } catch (error) {
    if (request.signal?.aborted) return throwReason(request.signal, error)
    if (fold.isComplete()) return fold.response()
    if (watch.hasTimedOut()) throw silence(silenceMs)
    return explain(error, options)
  } finally {
    watch.release()
  }
}

function toBody({ model, maxTokens }: CallModelOptions, request: ModelRequest) {
  const withheld = request.tools.length === 0 ? (request.withheldTools ?? []) : []
  const tools = markTools([...request.tools, ...withheld])
  return {
    model,
    max_tokens: Math.min(request.maxTokens ?? maxTokens, maxTokens),
    stream: true,
    ...(request.system.trim() === '' ? {} : { system: markSystem(request.system, request.systemFixed) }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(withheld.length > 0 ? { tool_choice: { type: 'none' } } : {}),
    messages: markMessages(request.messages),
  }
}

// The prompt cache. The prompt is tools, system, messages, in this order, and a marker caches everything before it. Four
// markers are allowed: one on the tools, one on the part of the system prompt that is the same for every turn, and two
// on the history. The later of these writes the cache for the next call, the earlier one is where the previous call
// wrote: a lookup goes back only 20 blocks, and a step can add more than that.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching

const cacheMarker = { type: 'ephemeral' } as const

type Marked<T> = T & { cache_control?: typeof cacheMarker }

const markTools = (tools: ModelTool[]): Marked<ModelTool>[] =>
  tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, cache_control: cacheMarker } : tool))

/** The system prompt with a marker after the first `fixed` characters, which are the same from turn to turn. */
function markSystem(system: string, fixed = system.length): Marked<TextBlock>[] {
  const rest = system.slice(fixed)
  return [
    { type: 'text', text: system.slice(0, fixed), cache_control: cacheMarker },
    ...(rest.trim() === '' ? [] : [{ type: 'text' as const, text: rest }]),
  ]
}

/** Marks the last message and the last of the owner's before it. */
function markMessages(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.length - 1
  const before = messages.findLastIndex((message, i) => i < last && message.role === 'user')
  return messages.map((message, i) => (i === last || i === before ? markMessage(message) : message))
}

function markMessage(message: ModelMessage): ModelMessage {
  const { role, content } = message
  if (typeof content === 'string') {
    if (content.trim() === '') return message
    return { role, content: [{ type: 'text', text: content, cache_control: cacheMarker }] }
  }
  const at = content.findLastIndex(isMarkable)
  if (at === -1) return message
  return {
    role,
    content: content.map((block, i) => (i === at ? { ...block, cache_control: cacheMarker } : block)),
  }
}

/** The API refuses a marker on thinking. */
const isMarkable = ({ type }: ContentBlock) => type !== 'thinking' && type !== 'redacted_thinking'

/** Throws a `ModelError` for a failed request; a request that is too long returns the stop reason that says the same. */
function explain(error: unknown, options: CallModelOptions): ModelResponse {
  if (error instanceof ModelError) throw error
  if (error instanceof APIConnectionError || !(error instanceof APIError))
    throw noConnection(error, options.client)
  const { status, type, headers } = error
  const message = error.apiMessage ?? error.message
  const failure = { status, type, message, retryAfter: headers?.get('retry-after') ?? null }
  if (!isTooLong(failure)) throw mapFailure(failure, options)
  return { text: '', content: [], toolUses: [], stopReason: 'model_context_window_exceeded', usage: noUsage }
}

function mapFailure(failure: Failure, { client, model, scrub = (text) => text }: CallModelOptions) {
  const said = { ...failure, message: scrub(failure.message) }
  return toModelError(said, model, [client.apiKey ?? '', client.authToken ?? ''])
}

const brokenOff = 'The connection to the model broke off in the middle of its answer. Try again.'

function noConnection(error: unknown, client: Anthropic): ModelError {
  if (error instanceof SyntaxError) {
    const message = `${hostOf(client)} answered with something that is not the Messages API. Check the base URL.`
    return new ModelError('model_failed', message, { retryable: false, cause: error })
  }
  // A failure of an open stream is no `APIConnectionError`: the SDK wraps only what fails before the response.
  const message =
    error instanceof APIConnectionError
      ? `The model provider cannot be reached at ${hostOf(client)}.`
      : brokenOff
  return new ModelError('model_unreachable', message, { retryable: true, cause: error })
}

/** Without the credentials that a URL can hold. */
const hostOf = (client: Anthropic) =>
  URL.canParse(client.baseURL) ? new URL(client.baseURL).host : 'its base URL'

const silence = (ms: number) =>
  new ModelError('model_silent', `The model has sent nothing for ${Math.round(ms / 1000)} s. Try again.`, {
    retryable: true,
  })

function throwReason(signal: AbortSignal | undefined, error: unknown): never {
  throw signal?.aborted ? signal.reason : error
}
