// The Messages API as a `CallModel`. The only file that imports the SDK.
//
// What is retried, and by whom: up to the first byte of an answer the SDK tries again (429, 529, other 5xx, no
// connection). An error inside of a stream comes after a 200, where the SDK gives up; it is tried again here as long as
// no text was emitted. After that a retry would repeat it in other words, so the call fails instead, and the text
// stays. A stream that breaks off is never tried again here: the caller knows whether that is wanted.
//
// The stream is read as raw events rather than through the SDK's helper: `ping` shows that a quiet model is alive, and
// folding costs one string append a delta instead of a new message object. The connection is node-fetch.ts's.

import { setTimeout as delay } from 'node:timers/promises'
import Anthropic, { APIConnectionError, APIError, type ClientOptions } from '@anthropic-ai/sdk'
import { createEventReader } from '../../text/event-stream.ts'
import { noUsage } from '../../usage/add-usage.ts'
import { type CallModel, ModelError, type ModelRequest, type ModelResponse } from '../model.ts'
import { type SilenceWatch, watchSilence } from './detect-stall.ts'
import {
  createStreamFold,
  eventsOfMessage,
  type StreamFold,
  type WholeMessage,
  type WireEvent,
} from './fold-stream.ts'
import { type Failure, isPassing, isTooLong, toModelError } from './model-failure.ts'
import { chunksOf, nodeFetch } from './node-fetch.ts'
import { markMessages, markSystem, markTools } from './prompt-cache.ts'
import { reportRetries } from './report-retries.ts'

export type AnthropicClientOptions = {
  /** What a local server asks for; any non-empty string where it asks for nothing. */
  apiKey: string
  /** Left out: the provider's own. The SDK's environment variables are not looked at. */
  baseURL?: string | null
  fetch?: ClientOptions['fetch']
  /** Tries after the first, up to the first byte. Left out: 2. */
  maxRetries?: number
}

export function createAnthropicClient({
  apiKey,
  baseURL,
  fetch = nodeFetch,
  maxRetries = 2,
}: AnthropicClientOptions): Anthropic {
  return new Anthropic({ apiKey, baseURL: baseURL ?? null, fetch, maxRetries, openTelemetry: false })
}

export type CallModelOptions = {
  client: Anthropic
  model: string
  /** Tokens of the answer, at most. */
  maxTokens: number
  /** How long nothing at all may come, neither before the answer nor within it. Left out: 90 s. */
  silenceMs?: number
  /** Tries after the first for an error inside of a stream. Left out: 3. */
  maxOverloadRetries?: number
  /** The wait that a server may ask for; a longer one is an error at once. Left out: 60 s. */
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
      if (emitted || tries >= maxOverloadRetries || !isPassing(failure)) throw mapFailure(failure, options)
      const wait = 1000 * 2 ** tries
      request.onStatus?.(`The model is overloaded. Trying again in ${wait / 1000} s.`)
      await sleep(wait, request.signal).catch((error) => throwReason(request.signal, error))
    }
  }
}

/** An error inside of a stream, and whether text had been emitted by then. */
type BrokenStream = { failure: Failure; emitted: boolean }

async function callOnce(
  options: CallModelOptions,
  request: ModelRequest,
): Promise<ModelResponse | BrokenStream> {
  const { client, silenceMs = 90_000, maxWaitMs = 60_000 } = options
  const watch = watchSilence(request.signal)
  const fold = createStreamFold((text) => request.onTextDelta?.(text))
  const { onStatus = () => {} } = request
  const middleware = [reportRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries: client.maxRetries })]
  try {
    request.signal?.throwIfAborted()
    const call = client.post('/v1/messages', {
      body: toParams(options, request),
      stream: true,
      timeout: client.timeout,
      ...{ signal: watch.signal, middleware },
    })
    const failure = await readInto(fold, await call.asResponse(), watch)
    return failure ? { failure, emitted: fold.hasEmitted() } : fold.response()
  } catch (error) {
    if (request.signal?.aborted) return throwReason(request.signal, error)
    if (fold.isComplete()) return fold.response()
    if (watch.wasSilent()) throw silence(silenceMs)
    return explain(error, options)
  } finally {
    watch.release()
  }
}

/** How long a finished message may leave its connection open; read to its end, the connection can be used again. */
const drainMs = 250

/** Reads the answer to its end. Returns the error in it, if there was one. */
async function readInto(fold: StreamFold, response: Response, watch: SilenceWatch): Promise<Failure | null> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('html')) throw new SyntaxError(`Expected an event stream, not ${type}`)
  const failure = type.includes('json')
    ? await readWhole(fold, response)
    : await readStream(fold, response, watch)
  if (failure || fold.isComplete()) return failure
  throw new ModelError('model_unreachable', brokenOff, { retryable: true })
}

async function readStream(
  fold: StreamFold,
  response: Response,
  watch: SilenceWatch,
): Promise<Failure | null> {
  const reader = createEventReader()
  for await (const chunk of chunksOf(response)) {
    for (const { type, data } of reader.push(chunk)) {
      watch.refresh()
      if (type === 'ping' || !data.startsWith('{')) continue
      const parsed: WireEvent = JSON.parse(data)
      if (type === 'error' || parsed.type === 'error') return failureIn(parsed)
      fold.take(parsed)
      if (parsed.type === 'message_stop') watch.listen(drainMs)
    }
  }
  return null
}

/** Some servers answer in one piece, whatever they are asked for. */
async function readWhole(fold: StreamFold, response: Response): Promise<Failure | null> {
  const message: WholeMessage = JSON.parse(await response.text())
  if (message.error) return failureIn(message)
  if (!Array.isArray(message.content)) throw new SyntaxError('Expected a message with content')
  for (const event of eventsOfMessage(message)) fold.take(event)
  return null
}

const brokenOff = 'The connection to the model broke off in the middle of its answer. Try again.'

function failureIn({ error }: Pick<WireEvent, 'error'>): Failure {
  return {
    status: undefined,
    type: String(error?.type ?? 'api_error'),
    message: String(error?.message ?? 'no message'),
  }
}

/** A refused or failed request as a `ModelError`; one that is too long as the stop reason that says the same. */
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

const mapFailure = (failure: Failure, { client, model }: CallModelOptions) =>
  toModelError(failure, model, [client.apiKey ?? '', client.authToken ?? ''])

function noConnection(error: unknown, client: Anthropic): ModelError {
  if (error instanceof SyntaxError) {
    const message = `${hostOf(client)} answered with something that is not the Messages API. Check the base URL.`
    return new ModelError('model_failed', message, { retryable: false, cause: error })
  }
  // A stream that was open and fails is no `APIConnectionError`: the SDK only wraps what fails before the answer.
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

function toParams({ model, maxTokens }: CallModelOptions, request: ModelRequest) {
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
