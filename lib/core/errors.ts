// The few kinds of error a caller can act on. Everything else is a bug and becomes a 500 that tells nothing.

import type { ErrorCode } from './error-codes.ts'

export type AppErrorOptions = { details?: Record<string, unknown>; cause?: unknown }

/** An error with a stable `code`, the HTTP `status` it maps to and a message that may be shown to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, status: number, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.details = options.details
  }
}

/** 400: the request is understood and wrong; `details.issues` lists the fields where there are any. */
export const invalid = (message: string, options?: AppErrorOptions) =>
  new AppError('invalid', 400, message, options)

/** 401: no credential, or one that is unknown, expired or revoked. */
export const unauthorized = (message: string) => new AppError('unauthorized', 401, message)

/** 403: a known caller who may not do this. */
export const forbidden = (message: string, options?: AppErrorOptions) =>
  new AppError('forbidden', 403, message, options)

/** 404: unknown, deleted or not the caller's; the three are not told apart. */
export const notFound = (what: string, id: string) =>
  new AppError('not_found', 404, `There is no ${what} ${id}.`)

/** 409: the request was fine, but something else happened first. `code` says what. */
export const conflict = (code: ErrorCode, message: string, details?: Record<string, unknown>) =>
  new AppError(code, 409, message, details ? { details } : {})

/** 503: this server was asked to stop; the next one takes the same request. */
export const shuttingDown = () =>
  new AppError('shutting_down', 503, 'The server is shutting down. Try again in a moment.')

/** 507: there is no room on the disk; what was acknowledged is stored. */
export const storageFull = (cause?: unknown) =>
  new AppError(
    'storage_full',
    507,
    'The disk is full. This request was not stored; existing data is safe. Free space on the volume of the data folder (DATA_DIR) or of the database, then try again.',
    { cause },
  )

/** 503: the database cannot be reached just now; the same request may work in a moment. */
export const databaseUnavailable = (cause: unknown) =>
  new AppError('database_unavailable', 503, 'The database is unavailable. Try again in a moment.', {
    cause,
  })
