import type { RequestHandler } from 'express'
import { AppError } from '../core/errors.ts'

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
