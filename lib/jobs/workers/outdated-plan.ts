// Expensive work on large texts is planned before a change's transaction begins, so that no lock and no connection
// waits for a thread. The transaction checks that the plan matches the stored state.

import { AppError } from '../../core/errors.ts'

/** Maximum plans per change: the texts may be edited while they are compared. */
const maxPlans = 10

/** Thrown in a transaction that finds a different state from the planned one, so that it is rolled back. */
export class OutdatedPlan extends AppError {
  constructor() {
    super('texts_changed', 409, 'The texts changed again and again while they were compared. Try again.')
  }
}

/**
 * Runs `planAndApply`, which makes a plan and applies it in a transaction, and retries if it throws `OutdatedPlan`;
 * turns the last of these into a 409 `AppError` `texts_changed`.
 */
export async function retryOutdated<Result>(planAndApply: () => Promise<Result>): Promise<Result> {
  for (let plans = 1; ; plans++) {
    try {
      return await planAndApply()
    } catch (error) {
      if (!(error instanceof OutdatedPlan) || plans === maxPlans) throw error
    }
  }
}
