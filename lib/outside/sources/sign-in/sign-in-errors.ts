import { AppError } from '../../../core/errors.ts'

/** What ends when the owner signs in (again). */
export const signInNeeded = () =>
  new AppError('source_failed', 502, 'It needs signing in: connect it in Settings → Sources.', {
    details: { sign_in: true },
  })

export const isSignInNeeded = (error: unknown): error is AppError =>
  error instanceof AppError && error.details?.sign_in === true

export const signInFailed = (why: string, cause?: unknown) =>
  new AppError('source_failed', 502, `Signing in failed: ${why}`, { cause })
