// What each error of a model server means for the owner, and what is tried again.

import { createScrubber } from '../../core/scrubber.ts'
import { ModelError, type ModelErrorCode } from '../model.ts'
import type { Failure } from './failure.ts'
import { readRetryAfter } from './retries.ts'

/** Who was asked: for the owner's eyes, without credentials. */
export type Asked = { model: string; address: string }

type Kind = { code: ModelErrorCode; retryable: boolean; say: (failure: Failure, asked: Asked) => string }

/**
 * The error for the owner. `secrets` are redacted from the server's words, and so is everything that looks like a key,
 * because proxies tend to quote the key that they refuse.
 */
export function toModelError(failure: Failure, asked: Asked, secrets: string[]): ModelError {
  const { code, retryable, say } = kindOf(failure)
  const safe = { ...failure, message: redact(failure.message, secrets) }
  const cause = new Error(`${failure.status ?? 'stream'} ${failure.type ?? ''}: ${safe.message}`)
  return new ModelError(code, say(safe, asked), { retryable, cause })
}

/** A sentence about a failure that is tried again; `null` for one that would not pass. */
export function describeTransient(failure: Failure): string | null {
  const kind = kindOf(failure)
  if (kind === rateLimited) return 'The model provider’s rate limit was reached.'
  if (kind === overloaded || kind === failed) return 'The model is overloaded.'
  return null
}

/** By the server's name for it, else by the status: a rate limit that comes as a 503 is no overload. */
function kindOf({ status, type }: Failure): Kind {
  const name = type?.toLowerCase() ?? ''
  const named = byName.find(([pattern]) => pattern.test(name))?.[1]
  return named ?? byStatus(status) ?? (name === 'api_error' ? failed : badRequest)
}

function byStatus(status: number | undefined): Kind | null {
  if (status === undefined) return null
  if (status === 401 || status === 403) return unauthorized
  if (status === 402) return unpaid
  if (status >= 300 && status < 400) return redirected
  if (status === 404 || status === 405) return notFound
  if (status === 429) return rateLimited
  if (status === 529 || status === 503) return overloaded
  if (status === 408 || status === 504) return unreachable
  return status >= 500 ? failed : null
}

const unauthorized: Kind = {
  code: 'model_unauthorized',
  retryable: false,
  say: ({ message }, { address }) =>
    `The model provider rejected the API key. Check the key and its permissions.${quoted(message)}${at(address)}`,
}
const unpaid: Kind = {
  code: 'model_unauthorized',
  retryable: false,
  say: ({ message }) => `The model provider’s account has no credit left.${quoted(message)}`,
}
const redirected: Kind = {
  code: 'model_failed',
  retryable: false,
  say: (_, { address }) =>
    `The model provider redirected the request, which Void does not follow because the key would go along. Set the base URL to the final address.${at(address)}`,
}
const notFound: Kind = {
  code: 'model_not_found',
  retryable: false,
  say: ({ message }, { model, address }) =>
    `The model provider does not know "${model}". Check the model's name and the base URL.${quoted(message)}${at(address)}`,
}
const rateLimited: Kind = {
  code: 'model_rate_limited',
  retryable: true,
  say: ({ retryAfter }) =>
    `The model provider’s rate limit was reached. Try again ${describeWait(readRetryAfter(retryAfter ?? null, Date.now()))}.`,
}
const overloaded: Kind = {
  code: 'model_overloaded',
  retryable: true,
  say: () => 'The model is overloaded. Try again in a moment.',
}
const unreachable: Kind = {
  code: 'model_unreachable',
  retryable: true,
  say: ({ message }, { address }) => `The model provider did not answer in time: ${message}${at(address)}`,
}
const failed: Kind = {
  code: 'model_failed',
  retryable: true,
  say: ({ message }, { address }) => `The model provider had an error: ${message}${at(address)}`,
}
const badRequest: Kind = {
  code: 'model_bad_request',
  retryable: false,
  say: ({ message }, { address }) =>
    `The model provider did not accept the request: ${message}${at(address)}`,
}

const byName: readonly (readonly [RegExp, Kind])[] = [
  [/insufficient_quota|billing|payment|credit/, unpaid],
  [/rate.?limit|too_many_requests|resource_exhausted|quota/, rateLimited],
  [/overloaded|unavailable/, overloaded],
  [/invalid_api_key|authentication|permission|unauthorized|forbidden/, unauthorized],
  [/model_not_found|^not_found/, notFound],
  [/timeout/, unreachable],
  [/server_error|internal/, failed],
]

const quoted = (message: string) => (message === 'no message' ? '' : ` It said: ${message}`)

const at = (address: string) => ` (${address})`

/** "in 20 s"; beyond a minute also when that is. */
function describeWait(ms: number): string {
  if (ms <= 0) return 'in a moment'
  if (ms <= 60_000) return `in ${Math.ceil(ms / 1000)} s`
  const minutes = Math.ceil(ms / 60_000)
  const until = new Date(Date.now() + ms).toISOString()
  const when =
    minutes < 12 * 60 ? `${until.slice(11, 16)} UTC` : `${until.slice(0, 16).replace('T', ' ')} UTC`
  const long = minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
  return `at ${when}, in ${long}`
}

function redact(text: string, secrets: string[]): string {
  const redacted = createScrubber(secrets).scrub(text)
  return redacted.replace(/\b(sk|key|pk)-[\w-]{6,}/gi, '[key]').slice(0, 400)
}
