// Before a route runs: who is asking, and may they. The order matters: a wrong credential is a 401 even for a route
// that is open to everybody who has one.

import type { Request, RequestHandler, Response } from 'express'
import { type RateLimitRequestHandler, rateLimit } from 'express-rate-limit'
import type { Actor } from '../auth/actor.ts'
import type { Authentication, Identity } from '../auth/authenticate.ts'
import { AppError, forbidden } from '../errors.ts'
import type { Access } from './route.ts'
import { readSession } from './session-cookie.ts'

export type Guard = {
  /**
   * The actor of a request, or an `AppError`: 401 unknown, 403 not allowed, 429 too often. Who it is that is an agent,
   * also one that is then refused, stands in `res.locals.agent`.
   */
  admit(access: Access, req: Request, res: Response): Promise<Actor>
  /** Counts a failed attempt to sign in; throws a 429 `AppError` when there were too many. */
  countFailure(req: Request, res: Response): Promise<void>
}

const nobody: Actor = {
  kind: 'agent',
  agent_id: '',
  slug: 'nobody',
  capabilities: noCapabilities(),
  spaces: [],
}

export function createGuard(authentication: Authentication): Guard {
  // Only failures count, so that a guesser on this machine cannot lock the owner out.
  const failures = limiter(30, 5 * 60_000, (req) => req.ip ?? '')
  const agentCalls = limiter(600, 60_000, (req) => String(req.headers.authorization))

  return {
    async admit(access, req, res) {
      if (access === 'public') return nobody
      const identity = await identify(req, res)
      if (identity.actor.kind === 'agent') {
        await pass(agentCalls, req, res)
        res.locals.agent = identity.actor
      }
      if (identity.via === 'session') refuseForeignOrigin(req)
      if (access === 'owner' && identity.actor.kind !== 'owner') {
        throw forbidden('Only the owner may do this.')
      }
      return identity.actor
    },

    countFailure: (req, res) => pass(failures, req, res),
  }

  async function identify(req: Request, res: Response): Promise<Identity> {
    try {
      return await authentication.identify({
        authorization: req.headers.authorization,
        session: readSession(req),
      })
    } catch (error) {
      const offered = req.headers.authorization !== undefined || readSession(req) !== undefined
      if (offered && error instanceof AppError && error.status === 401) await pass(failures, req, res)
      throw error
    }
  }
}

/**
 * A cookie travels with whatever page sends the request. Besides SameSite=Strict, a request that changes something
 * must come from a page of this very origin.
 */
function refuseForeignOrigin(req: Request): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return
  const site = req.headers['sec-fetch-site']
  const { origin } = req.headers
  const sameOrigin =
    site === undefined ? origin !== undefined && isOwnOrigin(req, origin) : site === 'same-origin'
  if (!sameOrigin) throw forbidden('This request did not come from a page of this server.')
}

function isOwnOrigin(req: Request, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === req.headers.host
}

function limiter(
  limit: number,
  windowMs: number,
  keyGenerator: (req: Request) => string,
): RateLimitRequestHandler {
  return rateLimit({
    limit,
    windowMs,
    keyGenerator,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    handler: () => {
      throw new AppError('too_many_requests', 429, 'Too many requests. Wait a little and try again.')
    },
  })
}

async function pass(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    Promise.resolve(middleware(req, res, (error?: unknown) => (error ? reject(error) : resolve()))).catch(
      reject,
    )
  })
}

function noCapabilities() {
  return { read: false, suggest: false, write: false }
}
