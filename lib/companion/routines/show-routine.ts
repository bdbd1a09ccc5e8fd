// Routines and their runs as the API shows them.

import type { Routine, RoutineRun } from '../../contract/companion/routines.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { dayMs } from '../../core/schedule/zoned.ts'
import type { Queryable } from '../../db/pool.ts'
import { createRoutineRunsRepo, type ListedRun } from '../../db/repos/routine_runs.ts'
import type { RoutineRow } from '../../db/repos/routines.ts'
import { quietOf, runsInMonth, showSchedule } from './plan-run.ts'

const weekMs = 7 * dayMs

export async function toRoutine(
  { database, calendar }: { database: Queryable; calendar: Calendar },
  row: RoutineRow,
): Promise<Routine> {
  const now = calendar.now()
  const week = await createRoutineRunsRepo(database).sums(row.id, new Date(now.getTime() - weekMs))
  const monthly = runsInMonth(row, now)
  return {
    id: row.id,
    space_id: row.space_id,
    name: row.name,
    instruction: row.instruction,
    ready: row.ready,
    when: row.event
      ? { event: row.event, filter: row.filter }
      : { schedule: showSchedule(row), time_zone: row.time_zone },
    agent_id: row.agent_id,
    model: row.model,
    budget_usd: row.budget_usd,
    daily_budget_usd: row.daily_budget_usd,
    quiet_hours: quietOf(row),
    enabled: row.enabled,
    paused_reason: row.paused_reason,
    next_due_at: row.next_due_at,
    expected_monthly_usd: monthly === null ? null : monthly * (week.average ?? row.budget_usd),
    week: weekLine(week),
    conversation_id: row.conversation_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Tells a routine that is quiet from one that is dead. */
function weekLine(counts: { done: number; nothing_to_do: number; failed: number; skipped: number }): string {
  const { done, nothing_to_do, failed, skipped } = counts
  const ran = done + nothing_to_do + failed
  if (ran + skipped === 0) return 'Has not run in the last 7 days'
  const times = ran === 1 ? 'once' : `${ran} times`
  const parts = [
    `Ran ${times} in the last 7 days`,
    nothing_to_do > 0 && (nothing_to_do === ran ? 'nothing to do' : `nothing to do ${nothing_to_do} of them`),
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
  ]
  return parts.filter(Boolean).join(', ')
}

export const toRun = (run: ListedRun): RoutineRun => ({
  id: run.id,
  routine_id: run.routine_id,
  status: run.status ?? 'running',
  due_at: run.due_at,
  started_by: run.started_by,
  dry_run: run.dry,
  attempt: run.attempt,
  started_at: run.started_at,
  ended_at: run.ended_at,
  turn_id: run.turn_id,
  draft_ids: run.drafts.map(({ id }) => id),
  drafts: run.drafts,
  cost_usd: run.cost_usd,
  problem: run.problem,
})
