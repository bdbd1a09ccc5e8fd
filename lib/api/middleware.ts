// What every request passes before its route: names of the host, refusals for the state of the server, and metrics.

import type { RequestHandler } from 'express'
import { AppError, shuttingDown } from '../core/errors.ts'
import type { Telemetry } from '../ops/telemetry/telemetry.ts'
import type { Deps } from './deps.ts'

/** A 503 once the server drains. It closes the connection, so that the next attempt may reach another server. */
export const refuseWhileDraining =
  ({ companion }: Pick<Deps, 'companion'>): RequestHandler =>
  (_req, res, next) => {
    if (!companion.isDraining()) return next()
    res.setHeader('connection', 'close')
    next(shuttingDown())
  }

/** A 507 for what stores something, while there is no room for it. */
export const refuseOnFullDisk =
  ({ database }: Pick<Deps, 'database'>): RequestHandler =>
  async (_req, _res, next) => {
    await database.checkRoom()
    next()
  }

/**
 * Refuses requests addressed to a name that is not ours. A page elsewhere can point a name of its own at 127.0.0.1
 * (DNS rebinding); its requests then carry that name. `allowed` are host names without a port.
 */
export function allowHosts(allowed: readonly string[]): RequestHandler {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed.map((name) => name.toLowerCase())])

  return (req, _res, next) => {
    const host = req.headers.host ?? ''
    const name = host.replace(/:\d+$/, '').toLowerCase()
    if (names.has(name)) {
      next()
      return
    }
    throw new AppError(
      'unknown_host',
      421,
      'This server does not answer to that name. Set PUBLIC_URL or ALLOWED_HOSTS.',
    )
  }
}

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
