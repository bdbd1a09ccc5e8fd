// A model server as a `CallModel`, over either wire. The only file that imports the SDK, whose client sends the requests
// of both: its retries, timeouts and headers are all that is used of it.
//
// What is retried, and by whom: up to the first byte of a response the SDK tries again (429, 529, other 5xx, no
// connection). An error within a stream comes after a 200, where the SDK gives up; it is tried again here as long as no
// text was emitted. After that a retry would repeat it in other words, so the call fails instead, and the text stays. A
// stream that breaks off is never tried again here: the caller knows whether that is wanted.

import { setTimeout as delay } from 'node:timers/promises'
import Anthropic, { APIConnectionError, APIError, type ClientOptions } from '@anthropic-ai/sdk'
import type { Dict } from '../../core/record.ts'
import { type CallModel, ModelError, type ModelRequest, type ModelResponse, noUsage } from '../model.ts'
import { type Failure, isTooLong, readFailure, readOverflow } from './failure.ts'
import { messagesWire } from './messages.ts'
import { type Asked, describeTransient, toModelError } from './model-failure.ts'
import { createStreamFold, NotAnAnswer, readResponse } from './read-response.ts'
import { reportRetries } from './retries.ts'
import { readBasicKey, readServerAddress } from './server-address.ts'
import { watchSilence } from './silence.ts'
import type { Wire } from './wire.ts'

export type ModelClientOptions = {
  /** Default: the Messages API. */
  wire?: Wire
  /** The provider's key; any non-empty string for a local server that asks for none. */
  apiKey: string
  /** Default: the provider's own. The SDK's environment variables are ignored. */
  baseURL?: string | null
  fetch?: ClientOptions['fetch']
  /** Retries up to the first byte. Default: 2. */
  maxRetries?: number
}

export type ModelClient = {
  wire: Wire
  http: Anthropic
  /** Where paths are appended. */
  root: string
  /** What may not be shown, whoever repeats it. */
  secrets: string[]
}

/** A redirect is never followed, because the key would go along. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { wire = messagesWire, apiKey, baseURL = null, maxRetries = 2, fetch } = options
  const { root, query, credentials: inAddress } = readServerAddress(baseURL, wire.name)
  const credentials = inAddress ?? readBasicKey(apiKey)
  const basic = credentials === null ? null : Buffer.from(credentials).toString('base64')
  const isChat = wire.name === 'chat'
  const http = new Anthropic({
    apiKey: isChat ? null : apiKey,
    authToken: isChat && basic === null ? apiKey : null,
    baseURL: root,
    defaultQuery: query,
    defaultHeaders: {
      ...(isChat ? { 'anthropic-version': null } : {}),
      ...(basic === null ? {} : { authorization: `Basic ${basic}` }),
    },
    maxRetries,
    fetchOptions: { redirect: 'manual' },
    openTelemetry: false,
    ...(fetch ? { fetch } : {}),
  })
  return { wire, http, root, secrets: [apiKey, ...(credentials && basic ? [credentials, basic] : [])] }
}

export type CallModelOptions = {
  client: ModelClient
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
      const { failure, emitted, text } = outcome
      if (isTooLong(failure)) return overflow(failure, text)
      const passing = describeTransient(failure)
      if (emitted || tries >= maxOverloadRetries || passing === null) throw mapFailure(failure, options)
      const wait = 1000 * 2 ** tries
      request.onStatus?.(`${passing} Trying again in ${wait / 1000} s.`)
      await sleep(wait, request.signal).catch((error) => throwReason(request.signal, error))
    }
  }
}

/** Whether the server counts the tokens of a request without answering it, which only the Messages API has a request for. */
export async function countsTokens(
  { client, model }: Pick<CallModelOptions, 'client' | 'model'>,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (client.wire.name !== 'messages') return false
  const {
    max_tokens: _,
    stream: __,
    ...body
  }: Dict = {
    ...client.wire.body(request, { name: model, maxTokens: 1 }),
  }
  try {
    const answer = await client.http.post<Dict>('/messages/count_tokens', { body, signal, maxRetries: 0 })
    return Number.isSafeInteger(answer.input_tokens) && Number(answer.input_tokens) > 0
  } catch {
    signal.throwIfAborted()
    return false
  }
}

/** An error within a stream, and the text before it. */
type BrokenStream = { failure: Failure; emitted: boolean; text: string }

/** The SDK's own timeout is behind the watch for silence. */
const timeoutSlackMs = 60_000

async function callOnce(
  options: CallModelOptions,
  request: ModelRequest,
): Promise<ModelResponse | BrokenStream> {
  const { client, model, maxTokens, silenceMs = 90_000, maxWaitMs = 60_000 } = options
  const { onStatus = () => {} } = request
  const { wire, http } = client
  const watch = watchSilence(request.signal)
  const fold = createStreamFold({
    onText: (text) => request.onTextDelta?.(text),
    onThinking: (text) => request.onThinkingDelta?.(text),
  })
  const middleware = [reportRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries: http.maxRetries })]
  try {
    request.signal?.throwIfAborted()
    const call = http.post(wire.path, {
      body: wire.body(request, { name: model, maxTokens }),
      stream: true,
      timeout: silenceMs + timeoutSlackMs,
      signal: watch.signal,
      middleware,
    })
    const failure = await readResponse(await call.asResponse(), wire.startReader(), { fold, watch })
    if (failure) return { failure, emitted: fold.hasEmitted(), text: fold.response().text }
    if (fold.isComplete()) return fold.response()
    throw new ModelError('model_unreachable', brokenOff, { retryable: true })
  } catch (error) {
    if (request.signal?.aborted) return throwReason(request.signal, error)
    if (fold.isComplete()) return fold.response()
    if (watch.hasTimedOut()) throw silence(silenceMs, client)
    return explain(error, options)
  } finally {
    watch.release()
  }
}

/** Throws a `ModelError` for a failed request; a request that is too long returns the stop reason that says the same. */
function explain(error: unknown, options: CallModelOptions): ModelResponse {
  if (error instanceof ModelError) throw error
  if (error instanceof APIConnectionError || !(error instanceof APIError))
    throw noConnection(error, options.client)
  const { status, headers } = error
  const body = error.error ?? error.message.replace(/^\d{3} /, '')
  const failure = { ...readFailure(body, status), retryAfter: headers?.get('retry-after') ?? null }
  if (!isTooLong(failure)) throw mapFailure(failure, options)
  return overflow(failure)
}

/** The response that stands for a request longer than the model's context, or one that grew so with its answer. */
function overflow(failure: Failure, text = ''): ModelResponse {
  return {
    text,
    content: text === '' ? [] : [{ type: 'text', text }],
    toolUses: [],
    stopReason: 'model_context_window_exceeded',
    usage: noUsage,
    overflow: readOverflow(failure),
  }
}

const askedOf = ({ root, wire }: ModelClient) => `${root}${wire.path}`

function mapFailure(
  failure: Failure,
  { client, model, scrub = (text) => text }: CallModelOptions,
): ModelError {
  const asked: Asked = { model, address: askedOf(client) }
  return toModelError({ ...failure, message: scrub(failure.message) }, asked, client.secrets)
}

const brokenOff = 'The connection to the model broke off in the middle of its answer. Try again.'

function noConnection(error: unknown, client: ModelClient): ModelError {
  if (error instanceof SyntaxError) {
    const page = error instanceof NotAnAnswer ? ` It is a web page: ${error.message}` : ''
    const message = `${askedOf(client)} answered with something that is not ${client.wire.label}. Check the base URL.${page}`
    return new ModelError('model_failed', message, { retryable: false, cause: error })
  }
  // A failure of an open stream is no `APIConnectionError`: the SDK wraps only what fails before the response.
  const message =
    error instanceof APIConnectionError
      ? `The model provider cannot be reached at ${askedOf(client)}.`
      : brokenOff
  return new ModelError('model_unreachable', message, { retryable: true, cause: error })
}

const silence = (ms: number, client: ModelClient) =>
  new ModelError(
    'model_silent',
    `The model has sent nothing for ${Math.round(ms / 1000)} s. Try again. (${askedOf(client)})`,
    { retryable: true },
  )

function throwReason(signal: AbortSignal | undefined, error: unknown): never {
  throw signal?.aborted ? signal.reason : error
}
