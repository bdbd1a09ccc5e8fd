import type { Request, Response } from 'express'
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit'
import { AppError } from '../../errors.ts'

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

export const tooManyRequests = () =>
  new AppError('too_many_requests', 429, 'Too many requests. Wait a little and try again.')
