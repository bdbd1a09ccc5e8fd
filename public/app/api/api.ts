// Requests to the server. Every failure is an `ApiError` whose message can be shown as it is.

import { outward } from '../../ui/address.ts'

export class ApiError extends Error {
  /** The server's code, or `unreachable` when there was no response. */
  readonly code: string
  /** 0 when there was no response. */
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

type Options = {
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
  /** Called where the server could not be reached and this device had the answer: when the server gave it, in ISO 8601. */
  onStored?: (asOf: string) => void
}

export type Api = {
  /** `Answer` is what the route's schema promises; see lib/contract. */
  get<Answer>(path: string, options?: Options): Promise<Answer>
  post<Answer>(path: string, body?: unknown, options?: Options): Promise<Answer>
  put<Answer>(path: string, body: unknown, options?: Options): Promise<Answer>
  patch<Answer>(path: string, body: unknown, options?: Options): Promise<Answer>
  delete<Answer>(path: string, body?: unknown, options?: Options): Promise<Answer>
  /** The response itself, once its status is known to be good: for streams and files. */
  fetch(path: string, init: RequestInit): Promise<Response>
}

/** Only reads: on the server, it calls its own routes. */
export type Reader = Pick<Api, 'get'>

type ApiOptions = {
  /** Responses that came with the page: each is used once, for the first request of its path. */
  preloaded?: Record<string, unknown>
  /** Called on every 401, before the call fails. */
  onSignedOut?: () => void
}

export function createApi({ preloaded = {}, onSignedOut = () => {} }: ApiOptions = {}): Api {
  const ready = new Map(Object.entries(preloaded))

  return {
    async get<Answer>(path: string, options: Options = {}) {
      if (ready.has(path)) {
        const answer = ready.get(path)
        ready.delete(path)
        return answer as Answer
      }
      return await send<Answer>('GET', path, undefined, options)
    },
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, body, options) => send('DELETE', path, body, options),
    fetch: request,
  }

  async function send<Answer>(
    method: string,
    path: string,
    body: unknown,
    options: Options = {},
  ): Promise<Answer> {
    const response = await request(path, {
      method,
      ...(options.signal ? { signal: options.signal } : {}),
      headers: { ...options.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const asOf = response.headers.get('void-as-of')
    if (asOf) options.onStored?.(asOf)
    return response.status === 204 ? (undefined as Answer) : await response.json()
  }

  async function request(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(outward(path), init).catch((error: unknown) => {
      if (init.signal?.aborted) throw error
      throw new ApiError(0, 'unreachable', 'Could not reach the server. Try again in a moment.')
    })
    if (response.ok) return response
    if (response.status === 401) onSignedOut()
    throw await toError(response)
  }
}

async function toError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const code = typeof error.code === 'string' ? error.code : `http_${response.status}`
  const message =
    typeof error.message === 'string' ? error.message : `The server responded with status ${response.status}.`
  return new ApiError(response.status, code, message, isRecord(error.details) ? error.details : {})
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The message to show for any failure. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong. Reload the page and try again.'

/** A random key. `crypto.randomUUID` is missing over plain http; `getRandomValues` is not. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `message-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
