import type { SilenceWatch } from './watch-silence.ts'

export type TellRetriesOptions = {
  watch: SilenceWatch
  onStatus: (message: string) => void
  silenceMs: number
  /** The longest wait that the server may ask for. */
  maxWaitMs: number
  maxRetries: number
}

type Send<Request> = (request: Request) => Promise<Response>

/**
 * Sits around every single try of a request: tells the owner of a wait, lets no server ask for an absurd one, and
 * times the silence of each try, not of the waits between them.
 */
export function tellRetries({ watch, onStatus, silenceMs, maxWaitMs, maxRetries }: TellRetriesOptions) {
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

/** The longest that the SDK waits where the server names no time. */
const backoffMs = 8000

const isRetried = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

function waitOf({ headers }: Response): number {
  const ms = Number(headers.get('retry-after-ms'))
  const seconds = Number(headers.get('retry-after'))
  return ms > 0 ? ms : seconds > 0 ? seconds * 1000 : 0
}

function whatIs(status: number): string {
  if (status === 429) return 'The rate limit of the model provider is reached.'
  if (status === 529 || status === 503) return 'The model is overloaded.'
  return `The model provider had an error (${status}).`
}

/** The same response, marked so that the SDK gives up. */
function unretried(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('x-should-retry', 'false')
  return new Response(response.body, { status: response.status, headers })
}
