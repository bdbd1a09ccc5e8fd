// What goes wrong with a model call: what each error means for the owner, and what is tried again.
//
//   toModelError           the error in the owner's words
//   reportRetries          around each try of a request, up to the first byte: reports waits, rejects absurd ones
//   watchSilence           aborts a call when nothing has arrived for a time
//   retryWithoutImages     asks a model that refuses images again without them

import { createScrubber } from '../core/scrubber.ts'
import {
  type CallModel,
  type ContentBlock,
  ModelError,
  type ModelErrorCode,
  type ModelMessage,
} from './model.ts'

/** An error of the server, as an HTTP status or as an `error` event within a stream. */
export type Failure = {
  status: number | undefined
  /** The API's name for it, such as `overloaded_error`. */
  type: string | null
  /** The server's words. */
  message: string
  retryAfter?: string | null
}

type Kind = { code: ModelErrorCode; retryable: boolean; say: (failure: Failure, model: string) => string }

/**
 * The error for the owner. `secrets` are redacted from the server's words, and so is everything that looks like a key,
 * because proxies tend to quote the key that they refuse.
 */
export function toModelError(failure: Failure, model: string, secrets: string[]): ModelError {
  const { code, retryable, say } = kindOf(failure)
  const safe = { ...failure, message: redact(failure.message, secrets) }
  const cause = new Error(`${failure.status ?? 'stream'} ${failure.type ?? ''}: ${safe.message}`)
  return new ModelError(code, say(safe, model), { retryable, cause })
}

/** Whether the server refused the call because it is longer than the model's context. */
export function isTooLong({ status, message }: Failure): boolean {
  if (status === 413) return true
  return (
    status === 400 &&
    /prompt is too long|context (length|window|size)|exceed\w* .{0,40}context/i.test(message)
  )
}

/** Whether an error within a stream is likely to be over in a moment. */
export function isTransient({ type }: Failure): boolean {
  return type === 'overloaded_error' || type === 'api_error' || type === 'rate_limit_error'
}

function kindOf({ status, type }: Failure): Kind {
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error')
    return unauthorized
  if (status !== undefined && status >= 300 && status < 400) return redirected
  if (status === 404 || type === 'not_found_error') return notFound
  if (status === 429 || type === 'rate_limit_error') return rateLimited
  if (status === 529 || status === 503 || type === 'overloaded_error') return overloaded
  if (status === 408 || status === 504 || type === 'timeout_error') return unreachable
  if ((status !== undefined && status >= 500) || type === 'api_error') return failed
  return badRequest
}

const unauthorized: Kind = {
  code: 'model_unauthorized',
  retryable: false,
  say: () => 'The model provider rejected the API key. Check the key and its permissions.',
}
const redirected: Kind = {
  code: 'model_failed',
  retryable: false,
  say: () =>
    'The model provider redirected the request, which Void does not follow because the key would go along. Set the base URL to the final address.',
}
const notFound: Kind = {
  code: 'model_not_found',
  retryable: false,
  say: (_, model) => `The model provider does not know "${model}". Check the model's name and the base URL.`,
}
const rateLimited: Kind = {
  code: 'model_rate_limited',
  retryable: true,
  say: ({ retryAfter }) =>
    `The model provider’s rate limit was reached. Try again ${retryAfter ? `in ${retryAfter} s` : 'in a moment'}.`,
}
const overloaded: Kind = {
  code: 'model_overloaded',
  retryable: true,
  say: () => 'The model is overloaded. Try again in a moment.',
}
const unreachable: Kind = {
  code: 'model_unreachable',
  retryable: true,
  say: () => 'The model provider did not answer in time. Try again in a moment.',
}
const failed: Kind = {
  code: 'model_failed',
  retryable: true,
  say: ({ message }) => `The model provider had an error: ${message}`,
}
const badRequest: Kind = {
  code: 'model_bad_request',
  retryable: false,
  say: ({ message }) => `The model provider did not accept the request: ${message}`,
}

function redact(text: string, secrets: string[]): string {
  const redacted = createScrubber(secrets).scrub(text)
  return redacted.replace(/\b(sk|key|pk)-[\w-]{6,}/gi, '[key]').slice(0, 400)
}

/** A signal for one call, aborted with the caller's, or when nothing has arrived for a time. */
export type SilenceWatch = {
  signal: AbortSignal
  /** Starts the timer, or restarts it with another time. */
  start(ms: number): void
  /** Something arrived: restarts the timer. Cheap enough for every event of a stream. */
  refresh(): void
  hasTimedOut(): boolean
  release(): void
}

export function watchSilence(caller: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let timer: NodeJS.Timeout | undefined
  let timedOut = false
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow, { once: true })

  return {
    signal: controller.signal,
    start(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timedOut = true
        controller.abort()
      }, ms)
    },
    refresh: () => timer?.refresh(),
    hasTimedOut: () => timedOut,
    release() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}

export type ReportRetriesOptions = {
  watch: SilenceWatch
  onStatus: (message: string) => void
  silenceMs: number
  /** The longest wait that the server may ask for. */
  maxWaitMs: number
  maxRetries: number
}

type Send<Request> = (request: Request) => Promise<Response>

/**
 * A middleware around every single try of a request: reports a wait to the owner, rejects an absurd one, and times the
 * silence of each try without the waits in between.
 */
export function reportRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries }: ReportRetriesOptions) {
  let tries = 0
  return async <Request>(request: Request, next: Send<Request>): Promise<Response> => {
    tries += 1
    const isLast = tries > maxRetries
    watch.start(silenceMs)
    const response = await next(request).catch((error) => {
      if (!isLast && !watch.signal.aborted) onStatus('The model cannot be reached. Trying again.')
      watch.start(maxWaitMs + silenceMs)
      throw error
    })
    if (response.ok || isLast || !isRetried(response.status)) return response

    const wait = waitOf(response)
    if (wait > maxWaitMs) return unretried(response)
    watch.start(wait + maxBackoffMs + silenceMs)
    onStatus(
      `${describeStatus(response.status)} Trying again${wait >= 1000 ? ` in ${Math.ceil(wait / 1000)} s` : ''}.`,
    )
    return response
  }
}

/** The SDK's longest wait where the server names none. */
const maxBackoffMs = 8000

const isRetried = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

function waitOf({ headers }: Response): number {
  const ms = Number(headers.get('retry-after-ms'))
  const seconds = Number(headers.get('retry-after'))
  return ms > 0 ? ms : seconds > 0 ? seconds * 1000 : 0
}

function describeStatus(status: number): string {
  if (status === 429) return 'The model provider’s rate limit was reached.'
  if (status === 529 || status === 503) return 'The model is overloaded.'
  return `The model provider had an error (${status}).`
}

/** The same response, marked so that the SDK gives up. */
function unretried(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('x-should-retry', 'false')
  return new Response(response.body, { status: response.status, headers })
}

/**
 * A model that is asked again without images when it refuses a request that has some, as a text-only model does. The
 * refused image stays in the thread and must not fail every later turn. Later calls are sent without images at once.
 */
export function retryWithoutImages(callModel: CallModel): CallModel {
  let refused = false
  const callWithout: CallModel = (request) =>
    callModel({ ...request, messages: request.messages.map(withoutImages) })

  return async (request) => {
    if (!request.messages.some(hasImage)) return await callModel(request)
    if (refused) return await callWithout(request)
    try {
      return await callModel(request)
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'model_bad_request') throw error
      refused = true
      request.onStatus?.('The model did not accept the images. Asking again without them.')
      return await callWithout(request)
    }
  }
}

const isImage = ({ type }: ContentBlock) => type === 'image'

const hasImage = ({ content }: ModelMessage) => typeof content !== 'string' && content.some(isImage)

const imageNote: ContentBlock = { type: 'text', text: '[Void: an image. This model did not accept it.]' }

const withoutImages = ({ role, content }: ModelMessage): ModelMessage => ({
  role,
  content:
    typeof content === 'string' ? content : content.map((block) => (isImage(block) ? imageNote : block)),
})
