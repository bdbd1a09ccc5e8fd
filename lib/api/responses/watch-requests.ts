import type { RequestHandler } from 'express'
import type { Telemetry } from '../../ops/telemetry/telemetry.ts'

/** Times requests. One is named by the pattern of its route, never by its path. */
export function watchRequests({
  metrics: { requests, streams },
  trace,
  isTracing,
}: Telemetry): RequestHandler {
  return (req, res, next) => {
    const end = requests.startTimer({ method: methodOf(req.method) })
    let isStream = false
    res.once('close', () => {
      if (isStream) streams.dec()
      else end({ status: `${Math.floor(res.statusCode / 100)}xx` })
    })
    const { writeHead } = res
    res.writeHead = (...args: unknown[]) => {
      const result = Reflect.apply(writeHead, res, args)
      // Only now: the headers may have been given to this very call.
      const streamed = /^(text\/event-stream|application\/x-ndjson)/.test(
        String(res.getHeader('content-type')),
      )
      if (streamed && !isStream) streams.inc()
      isStream = streamed
      return result
    }
    if (!isTracing) return next()
    const closed = new Promise<void>((resolve) => res.once('close', resolve))
    void trace('http.request', { 'http.request.method': methodOf(req.method) }, async (note) => {
      next()
      await closed
      note({ 'http.route': String(req.route?.path ?? 'page'), 'http.response.status_code': res.statusCode })
    })
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Anybody may send any word as a method. */
const methodOf = (method: string) => (methods.has(method) ? method : 'other')
