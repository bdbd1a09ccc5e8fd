import type { SilenceWatch } from './detect-stall.ts'

export type ReportRetriesOptions = {
  watch: SilenceWatch
  onStatus: (message: string) => void
  silenceMs: number
  /** The wait that the server may ask for. */
  maxWaitMs: number
  maxRetries: number
}

type Send<Request> = (request: Request) => Promise<Response>

/**
 * Sits around every single try of a request: reports a wait to the owner, rejects an absurd one, and
 * times the silence of each try, not of the waits between them.
 */
export function reportRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries }: ReportRetriesOptions) {
  let tries = 0
  return async <Request>(request: Request, next: Send<Request>): Promise<Response> => {
    tries += 1
    const isLast = tries > maxRetries
    watch.listen(silenceMs)
    const response = await next(request).catch((error) => {
      if (!isLast && !watch.signal.aborted) onStatus('The model cannot be reached. Trying again.')
      watch.listen(maxWaitMs + silenceMs)
      throw error
    })
    if (response.ok || isLast || !isRetried(response.status)) return response

    const wait = waitOf(response)
    if (wait > maxWaitMs) return unretried(response)
    watch.listen(wait + backoffMs + silenceMs)
    onStatus(
      `${whatIs(response.status)} Trying again${wait >= 1000 ? ` in ${Math.ceil(wait / 1000)} s` : ''}.`,
    )
    return response
  }
}

/** The wait of the SDK where the server names no time, at most. */
const backoffMs = 8000

const isRetried = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

function waitOf({ headers }: Response): number {
  const ms = Number(headers.get('retry-after-ms'))
  const seconds = Number(headers.get('retry-after'))
  return ms > 0 ? ms : seconds > 0 ? seconds * 1000 : 0
}

function whatIs(status: number): string {
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
