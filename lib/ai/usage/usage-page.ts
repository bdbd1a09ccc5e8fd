import type { UsageGrouping, UsageReport } from '../../contract/companion/usage.ts'
import { invalid } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import type { UsageFilter } from '../../db/repos/usage.ts'
import type { DailyBudget } from './budget.ts'
import { dayOf, midnight, startOf } from './days.ts'
import { type Prices, pricesAsOf } from './prices.ts'
import { reportUsage } from './report.ts'

export type UsageQuery = Omit<UsageFilter, 'from' | 'until'> & {
  by: UsageGrouping
  /** Days as YYYY-MM-DD, both included; left out: the last thirty. */
  from: string | undefined
  to: string | undefined
  cursor: number
  limit: number
}

export type UsagePageDeps = { database: Queryable; budget: DailyBudget; prices: Prices; now: () => Date }

const maxDays = 366
const defaultDays = 30

/** A page of what models used and cost. Throws a 400 `AppError` for days in the wrong order, or too many. */
export async function loadUsagePage(deps: UsagePageDeps, query: UsageQuery): Promise<UsageReport> {
  const { database, budget, prices, now } = deps
  const { by, cursor, limit, from: firstDay, to: lastDay, ...narrowed } = query
  const last = lastDay ? startOf(lastDay) : midnight(now())
  const from = firstDay ? startOf(firstDay) : midnight(last, 1 - defaultDays)
  if (from > last) throw invalid('from: the first day comes after the last.')
  if (midnight(from, maxDays) <= last) throw invalid(`from: at most ${maxDays} days can be asked for.`)

  const filter = { ...narrowed, from, until: midnight(last, 1) }
  const { items, total } = await reportUsage(database, { by, filter, prices })
  // A year has its days on one page.
  const start = by === 'day' ? 0 : cursor
  const end = by === 'day' ? items.length : cursor + limit
  return {
    by,
    from: dayOf(from),
    to: dayOf(last),
    items: items.slice(start, end),
    next_cursor: end < items.length ? String(end) : null,
    total,
    budget: await budget.state(),
    prices_as_of: pricesAsOf,
  }
}
