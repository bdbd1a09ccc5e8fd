// What a change needs of large texts is worked out before its transaction begins, so that no lock and no connection
// waits for a thread. The transaction checks that the plan is of what it finds.

import { AppError } from '../../core/errors.ts'

/** Plans of one change: the texts may be edited while they are compared. */
const maxPlans = 10

/** Thrown in a transaction that finds another state than was planned for, so that it leaves nothing behind. */
export class OutdatedPlan extends AppError {
  constructor() {
    super('texts_changed', 409, 'The texts changed again and again while they were compared. Try again.')
  }
}

/**
 * Runs `planAndApply`, which makes a plan and applies it in a transaction, and once more where that throws
 * `OutdatedPlan`; passes on the last of these, a 409 `AppError` `texts_changed`.
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
