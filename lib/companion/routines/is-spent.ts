import { startOfDay } from '../../core/schedule/instants.ts'
import { dayIn } from '../../core/schedule/zoned.ts'
import type { Queryable } from '../../db/pool.ts'
import { createRoutineRunsRepo } from '../../db/repos/routine_runs.ts'
import type { RoutineRow } from '../../db/repos/routines.ts'

/** Whether the runs of today have used up a routine's own budget of the day. */
export async function isSpent(
  db: Queryable,
  { id, daily_budget_usd, time_zone }: Pick<RoutineRow, 'id' | 'daily_budget_usd' | 'time_zone'>,
  now: Date,
): Promise<boolean> {
  if (daily_budget_usd === null) return false
  const { cost } = await createRoutineRunsRepo(db).sums(id, startOfDay(dayIn(now, time_zone), time_zone))
  return cost >= daily_budget_usd
}
