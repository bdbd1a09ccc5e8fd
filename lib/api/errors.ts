import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { challenge, type Site } from '../auth/oauth/metadata.ts'
import { AppError, databaseUnavailable, storageFull } from '../core/errors.ts'
import { type Logger, scrubberOf } from '../core/logger.ts'
import { isConnectionFailure, isDiskFull } from '../db/pg-errors.ts'

/** The end of the line for a path that is no route. */
export const unknownRoute: RequestHandler = (req) => {
  throw new AppError('not_found', 404, `Route not found: ${req.method} ${req.path}.`)
}

/**
 * Every error as one JSON shape. What is not an `AppError` is a bug: it is logged whole and answered with a 500 that
 * tells nothing but the request's id.
 */
export function errorResponder(logger: Logger): ErrorRequestHandler {
  const { scrub } = scrubberOf(logger)
  return (error, req, res, next) => {
    const known = toAppError(error)
    if (known.status >= 500) logger.error({ err: error, request_id: req.id }, known.message)
    if (res.headersSent) {
      next(error)
      return
    }

    const { code, details, status } = known
    const message = scrub(known.message)
    if (status === 503) res.setHeader('retry-after', '1')
    const wait = details?.retry_after_seconds
    if (typeof wait === 'number') res.setHeader('retry-after', String(wait))
    const wayIn = challengeFor(known, req, res)
    if (wayIn) res.setHeader('www-authenticate', wayIn)
    res.status(status).json({ error: { code, message, ...(details ? { details } : {}), request_id: req.id } })
  }
}

/** The `WWW-Authenticate` header of a refusal; at a resource of OAuth it says where a token is to be had. */
function challengeFor({ status, code }: AppError, req: Request, res: Response): string | null {
  const site: Site | null = res.locals.site ?? null
  if (site && status === 403) return challenge(site, code === 'insufficient_scope' ? code : undefined)
  if (status !== 401) return null
  if (!site) return 'Bearer'
  return challenge(site, req.headers.authorization === undefined ? undefined : 'invalid_token')
}

/** What an error is for the caller; one that nobody expected is a 500 that says nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return storageFull(error)
  if (isConnectionFailure(error)) return databaseUnavailable(error)
  return fromExpress(error) ?? new AppError('internal', 500, 'Internal server error.', { cause: error })
}

// Express and its body parser mark their own errors with a `type`, or are plain errors with a 4xx `status`.
function fromExpress(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  const type: unknown = Reflect.get(error, 'type')
  const status: unknown = Reflect.get(error, 'status')

  switch (type) {
    case 'entity.parse.failed':
      return new AppError('invalid_json', 400, 'The body is not valid JSON.')
    case 'entity.too.large':
      return new AppError('too_large', 413, 'The body is too large for this route.')
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new AppError('unsupported_media_type', 415, 'Send the body as JSON in UTF-8.')
    case 'request.aborted':
    case 'request.size.invalid':
      return new AppError('incomplete', 400, 'The body ended early.')
  }
  if (error instanceof URIError) return new AppError('invalid', 400, 'The path is not a valid URL.')
  if (typeof status !== 'number' || status < 400 || status > 499) return null
  return new AppError('invalid', status, 'The request could not be read.')
}
