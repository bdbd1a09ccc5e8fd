import type { SilenceWatch } from './silence.ts'

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
  return ms > 0 ? ms : readRetryAfter(headers.get('retry-after'), Date.now())
}

/** Milliseconds; 0 for none. In seconds or as a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after. */
export function readRetryAfter(value: string | null, now: number): number {
  if (value === null || value.trim() === '') return 0
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
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
