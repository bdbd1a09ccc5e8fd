import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../core/errors.ts'

/** Waits between tries, in milliseconds: about half a minute in all. */
const delaysMs = [200, 500, 1000, 2000, 4000, 8000, 16_000]

/**
 * Waits for a database that is unavailable for a moment, so that what a model said is not lost to a restart. `run` has to be
 * safe to run twice: a connection may break after its work was done; `again` says that it may have been. Rejects with the
 * reason of `signal` when that is aborted meanwhile.
 */
export async function retryWhileDatabaseUnavailable<Result>(
  run: (again: boolean) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (const [tries, delay] of delaysMs.entries()) {
    try {
      return await run(tries > 0)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error
      await wait(delay, undefined, signal ? { signal } : {}).catch(() => {})
      signal?.throwIfAborted()
    }
  }
  return await run(true)
}
