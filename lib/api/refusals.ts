// What is refused whoever asks, for the state that the server is in.

import type { RequestHandler } from 'express'
import { refuseFullDisk } from '../db/disk-space.ts'
import { shuttingDown } from '../errors.ts'
import type { Deps } from './deps.ts'

/** A 503 once the server drains. It closes the connection, so that the next attempt may reach another server. */
export const refuseWhileDraining =
  ({ companion }: Pick<Deps, 'companion'>): RequestHandler =>
  (_req, res, next) => {
    if (!companion.isDraining()) return next()
    res.setHeader('connection', 'close')
    next(shuttingDown())
  }

/** More than this is not filled within `checkEveryMs`. */
const plentyBytes = 1024 ** 3
const checkEveryMs = 1000

/**
 * A 507 for what stores something, before an embedded store is asked for more than there is room for: it could not go on
 * and would take the server with it.
 */
export function refuseOnFullDisk({ database, server }: Pick<Deps, 'database' | 'server'>): RequestHandler {
  let checkAt = 0

  return async (_req, _res, next) => {
    if (database.engine === 'pglite' && performance.now() >= checkAt) {
      const free = await refuseFullDisk(server.dataFolder)
      if (free === null || free > plentyBytes) checkAt = performance.now() + checkEveryMs
    }
    next()
  }
}
