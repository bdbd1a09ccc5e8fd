// What went wrong with a model call, in the words of the owner.

import { ModelError, type ModelErrorCode } from '../model.ts'

/** An error of the server, as an HTTP status or as an `error` event in a stream that had begun well. */
export type Failure = {
  status: number | undefined
  /** The API's own name for it, such as `overloaded_error`. */
  type: string | null
  /** The server's words. */
  message: string
  retryAfter?: string | null
}

type Kind = { code: ModelErrorCode; retryable: boolean; say: (failure: Failure, model: string) => string }

/**
 * The error for the owner. `secrets` are struck out wherever the server's words repeat them, and so is all that looks
 * like a key, because proxies like to quote the one that they refuse.
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

/** Errors in a stream that are over in a moment. */
export function isPassing({ type }: Failure): boolean {
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
  const known = secrets.filter((secret) => secret.length >= 6)
  const struck = known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
  return struck.replace(/\b(sk|key|pk)-[\w-]{6,}/gi, '[key]').slice(0, 400)
}
