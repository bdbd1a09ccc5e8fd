import type { UsageGrouping, UsageItem, UsageReport, UsageSum } from '../../contract/companion/usage.ts'
import { invalid } from '../../core/errors.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { startOfDay } from '../../core/schedule/instants.ts'
import { addDays } from '../../core/schedule/zoned.ts'
import type { Queryable } from '../../db/pool.ts'
import { createUsageRepo, type UsageFilter, type UsageRow } from '../../db/repos/usage.ts'
import type { DailyBudget } from './budget.ts'
import { costOf, type Prices, priceOf, pricesAsOf } from './prices.ts'

type UsageQuery = Omit<UsageFilter, 'from' | 'until'> & {
  by: UsageGrouping
  /** Days as YYYY-MM-DD, inclusive. Default: the last thirty. */
  from: string | undefined
  to: string | undefined
  cursor: number
  limit: number
}

type UsagePageDeps = { database: Queryable; budget: DailyBudget; prices: Prices; calendar: Calendar }

const maxDays = 366

const defaultDays = 30

/** A page of what models used and cost. Throws a 400 `AppError` for days in the wrong order, or too many. */
export async function loadUsagePage(deps: UsagePageDeps, query: UsageQuery): Promise<UsageReport> {
  const { database, budget, prices, calendar } = deps
  const { by, cursor, limit, from: firstDay, to: lastDay, ...narrowed } = query
  const zone = calendar.zone()
  const last = lastDay ?? today(calendar)
  const from = firstDay ?? addDays(last, 1 - defaultDays)
  if (from > last) throw invalid('from: must not be after to.')
  if (addDays(from, maxDays) <= last) throw invalid(`from: at most ${maxDays} days per request.`)

  const until = startOfDay(addDays(last, 1), zone)
  const filter = { ...narrowed, from: startOfDay(from, zone), until }
  const days = by === 'day' ? daysBetween(from, last) : []
  const { items, total } = await reportUsage(database, { by, filter, prices, days, zone })
  // A year has its days on one page.
  const start = by === 'day' ? 0 : cursor
  const end = by === 'day' ? items.length : cursor + limit
  return {
    by,
    from,
    to: last,
    items: items.slice(start, end),
    next_cursor: end < items.length ? String(end) : null,
    total,
    budget: await budget.state(),
    prices_as_of: pricesAsOf,
  }
}

type ReportRequest = {
  by: UsageReport['by']
  filter: UsageFilter
  prices: Prices
  /** YYYY-MM-DD, of a report by day. */
  days: readonly string[]
  zone: string
}

/**
 * What models used in each group and altogether, with what it costs at these prices: days in order, none left out, the
 * rest by what used most.
 */
async function reportUsage(
  db: Queryable,
  { by, filter, prices, days, zone }: ReportRequest,
): Promise<{ items: UsageItem[]; total: UsageSum }> {
  const starts = days.map((day) => startOfDay(day, zone))
  const rows = await createUsageRepo(db).sum(by, filter, starts)
  const total = rows.reduce((sum, row) => add(sum, row, prices), noSum)
  const groups = Map.groupBy(rows, ({ key }) => key)
  if (by === 'day') {
    const items = days.map((day, index) =>
      toItem(groups.get(String(index + 1)) ?? [], prices, { key: day, label: '' }),
    )
    return { items, total }
  }
  const items = [...groups].map(([key, group]) => toItem(group, prices, { key, label: group[0]!.label }))
  return { items: items.toSorted((a, b) => b.tokens - a.tokens || a.key.localeCompare(b.key)), total }
}

/** Both included. */
function daysBetween(from: string, last: string): string[] {
  const days: string[] = []
  for (let day = from; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

function toItem(
  rows: readonly UsageRow[],
  prices: Prices,
  { key, label }: Pick<UsageItem, 'key' | 'label'>,
): UsageItem {
  const { conversation_id = null, space_id = null } = rows[0] ?? {}
  const sum = rows.reduce((sum, row) => add(sum, row, prices), noSum)
  return { key, label, conversation_id, space_id, ...sum }
}

const noSum: UsageSum = {
  count: 0,
  tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cost: null,
  unpriced_tokens: 0,
  duration_ms: 0,
}

function add(sum: UsageSum, row: UsageRow, prices: Prices): UsageSum {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = row
  const tokens = input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens
  const price = priceOf(prices, row.model)
  return {
    count: sum.count + row.count,
    tokens: sum.tokens + tokens,
    input_tokens: sum.input_tokens + input_tokens,
    output_tokens: sum.output_tokens + output_tokens,
    cache_creation_input_tokens: sum.cache_creation_input_tokens + cache_creation_input_tokens,
    cache_read_input_tokens: sum.cache_read_input_tokens + cache_read_input_tokens,
    cost: price ? (sum.cost ?? 0) + costOf(price, row) : sum.cost,
    unpriced_tokens: sum.unpriced_tokens + (price ? 0 : tokens),
    duration_ms: sum.duration_ms + row.duration_ms,
  }
}
