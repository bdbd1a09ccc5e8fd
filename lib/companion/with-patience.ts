import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../errors.ts'

/** Waits between tries, in milliseconds: about half a minute in all. */
const patience = [200, 500, 1000, 2000, 4000, 8000, 16_000]

/**
 * Waits for a database that is away for a moment, so that what a model said is not lost to a restart. `run` has to be
 * safe to do twice: a connection may break after its work was done.
 */
export async function withPatience<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const delay of patience) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error
      await wait(delay)
    }
  }
  return await run()
}
