// Before a route runs: who is asking, may they, and how often. The order matters: a wrong credential is a 401 even for
// a route that is open to everybody who has one.

import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, RequestHandler, Response } from 'express'
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit'
import type { Authentication, Identity } from '../auth/authenticate.ts'
import type { Actor } from '../core/actor.ts'
import { AppError, forbidden } from '../core/errors.ts'
import { baseOf } from './base-path.ts'

/**
 * `public`: anyone. `agent`: the owner, or an agent within its scope. `owner`: the owner only. `metrics`: the owner, or a
 * caller with the metrics token.
 */
export type Access = 'public' | 'agent' | 'owner' | 'metrics'

export type Guard = {
  /**
   * The actor of a request, or an `AppError`: 401 unknown, 403 not allowed, 429 too often. Who it is that is an agent,
   * also one that is then refused, stands in `res.locals.agent`; whether it may ask the owner for more, in
   * `res.locals.mayAskToDraft`. `resource`: what access tokens of OAuth must be for.
   */
  admit(access: Access, req: Request, res: Response, resource?: string): Promise<Actor>
  /** Counts further calls that the request of an agent holds, for each limit. Throws a 429 `AppError`. */
  admitMore(calls: number, req: Request, res: Response): Promise<void>
  /**
   * Runs an attempt with the owner's secret. One that is rejected with a 401 counts as a guess. Throws a 429 `AppError`
   * when there were too many guesses by this address, whatever the secret; for a wrong one, also when by all.
   */
  attempt<Result>(req: Request, res: Response, run: () => Promise<Result>): Promise<Result>
}

/** Wrong owner tokens within five minutes: from one address (an IPv6 network of 56 bits), and altogether. */
const maxGuesses = 30
const maxGuessesOfAll = 300
const guessWindowMs = 5 * 60_000
/** Of one agent's token at once. */
const maxInFlight = 20

const nobody: Actor = {
  kind: 'agent',
  agent_id: '',
  slug: 'nobody',
  capabilities: noCapabilities(),
  spaces: [],
}

export function createGuard(authentication: Authentication): Guard {
  const guesses = limiter(maxGuesses, guessWindowMs, addressOf)
  const guessesOfAll = limiter(maxGuessesOfAll, guessWindowMs, () => 'all')
  const staleCredentials = limiter(maxGuesses, guessWindowMs, addressOf)
  const agentCalls = limiter(600, 60_000, (_req, res) => String(res.locals.tokenId))
  const takeSlot = createSlots(maxInFlight)

  return {
    async admit(access, req, res, resource) {
      if (access === 'public') return nobody
      if (access === 'metrics' && authentication.isMetricsToken(req.headers.authorization)) return nobody
      const identity = await identify(req, res, resource)
      if (identity.actor.kind === 'agent') {
        res.locals.tokenId = identity.tokenId
        res.locals.mayAskToDraft = identity.mayAskToDraft
        await pass(agentCalls, req, res)
        takeSlot(String(identity.tokenId), res)
        res.locals.agent = identity.actor
      }
      if (identity.via === 'session') refuseForeignOrigin(req)
      if (access !== 'agent' && identity.actor.kind !== 'owner') {
        throw forbidden('Only the owner may do this.')
      }
      return identity.actor
    },

    async admitMore(calls, req, res) {
      if (calls === 0 || res.locals.tokenId === undefined) return
      for (let n = 0; n < calls; n += 1) await pass(agentCalls, req, res)
      takeSlot(String(res.locals.tokenId), res, calls)
    },

    attempt,
  }

  async function identify(req: Request, res: Response, resource: string | undefined): Promise<Identity> {
    const { authorization } = req.headers
    const session = readSession(req)
    const run = () => authentication.identify({ authorization, session, resource })
    if (authorization !== undefined && !isAgentToken(authorization)) return await attempt(req, res, run)
    try {
      return await run()
    } catch (error) {
      // Random and long, so nobody guesses them; an agent that goes on with a revoked token is no guesser.
      const offered = authorization !== undefined || session !== undefined
      if (offered && isUnauthorized(error)) {
        logRejection(req)
        await pass(staleCredentials, req, res)
      }
      throw error
    }
  }

  async function attempt<Result>(req: Request, res: Response, run: () => Promise<Result>): Promise<Result> {
    const made = await guesses.getKey(addressOf(req))
    // The limiter's own clock; it forgets an address only some time after its window has ended.
    const isBlocked = made && made.totalHits >= maxGuesses && Number(made.resetTime) > Date.now()
    // Before the attempt, which would use up a one-time code.
    if (isBlocked) throw tooManyRequests()
    try {
      return await run()
    } catch (error) {
      if (!isUnauthorized(error)) throw error
      logRejection(req)
      await pass(guesses, req, res)
      await pass(guessesOfAll, req, res)
      throw error
    }
  }
}

/** What was offered is not told: it may be a secret with a typing error. */
const logRejection = (req: Request): void => req.log.warn({ address: req.ip }, 'credentials rejected')

const isAgentToken = (authorization: string): boolean => /^Bearer +(?:agent|oauth)_/i.test(authorization)

const isUnauthorized = (error: unknown): boolean => error instanceof AppError && error.status === 401

/** Lets each key have so many calls at once; more are a 429 `AppError`. Slots are free when the response has ended. */
function createSlots(limit: number): (key: string, res: Response, calls?: number) => void {
  const taken = new Map<string, number>()
  return (key, res, calls = 1) => {
    const count = (taken.get(key) ?? 0) + calls
    if (count > limit) throw tooManyRequests()
    taken.set(key, count)
    const free = () => {
      res.off('finish', free).off('close', free)
      const left = (taken.get(key) ?? calls) - calls
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
    res.once('finish', free).once('close', free)
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

function noCapabilities() {
  return { read: false, suggest: false, write: false }
}

/** Over HTTPS a browser takes the one of `__Host-` only from this very host, for all of its paths. */
function nameFor(req: Request): string {
  if (!req.secure) return 'void_session'
  return `${baseOf(req) === '' ? '__Host-' : '__Secure-'}void_session`
}

/** The session cookie of a request. */
export function readSession(req: Request): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[nameFor(req)]
}

/** Sets the cookie; a `maxAgeMs` of 0 removes it. Never readable by scripts, never sent across sites. */
export function writeSession(req: Request, res: Response, session: string, maxAgeMs: number): void {
  const cookie = stringifySetCookie({
    name: nameFor(req),
    value: session,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure,
    path: '/',
    maxAge: Math.floor(maxAgeMs / 1000),
  })
  res.append('set-cookie', cookie)
}

/** Whose request it is: an address, of IPv6 its network of 56 bits. */
export const addressOf = (req: Request): string => ipKeyGenerator(req.ip ?? '')

/** Lets each key have so many requests within a window; one more is a 429 `AppError`. */
export function limiter(
  limit: number,
  windowMs: number,
  keyGenerator: (req: Request, res: Response) => string,
): RateLimitRequestHandler {
  return rateLimit({
    limit,
    windowMs,
    keyGenerator,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    handler: () => {
      throw tooManyRequests()
    },
  })
}

/** Runs a middleware, such as a limiter. Rejects with what it refuses. */
export async function pass(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    Promise.resolve(middleware(req, res, (error?: unknown) => (error ? reject(error) : resolve()))).catch(
      reject,
    )
  })
}

/** Counts a message of the owner. Rejects with a 429 `AppError` beyond so many within a minute. */
export type TurnLimit = (req: Request, res: Response) => Promise<void>

/** `null`: any number. Each server counts its own. */
export function createTurnLimit(perMinute: number | null): TurnLimit {
  if (perMinute === null) return async () => {}
  const turns = limiter(perMinute, 60_000, () => 'owner')
  return (req, res) => pass(turns, req, res)
}

const tooManyRequests = () =>
  new AppError('too_many_requests', 429, 'Too many requests. Wait a moment and try again.')
