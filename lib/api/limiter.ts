import type { Request, RequestHandler, Response } from 'express'
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit'
import { AppError } from '../core/errors.ts'

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

/** Counts a request with a limiter. Rejects with what it refuses. */
export async function countRequest(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
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
  return (req, res) => countRequest(turns, req, res)
}

export const tooManyRequests = () =>
  new AppError('too_many_requests', 429, 'Too many requests. Wait a little and try again.')
