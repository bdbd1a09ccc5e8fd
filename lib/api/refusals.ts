// What is refused whoever asks, for the state that the server is in.

import type { RequestHandler } from 'express'
import { shuttingDown } from '../core/errors.ts'
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
