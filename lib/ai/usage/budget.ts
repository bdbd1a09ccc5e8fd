// An optional limit of tokens a day. It is looked at before each call of a model: a step that runs is never cut off.
// Turns at work at the same time may go over it by what is under way: each looks, and then calls.
//
// Tokens and not money: each answer of a model says its tokens, while a cost is known only where a price is, and prices
// change. A limit that holds only sometimes is none.

import type { Budget } from '../../contract/companion/usage.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { startOfDay } from '../../core/schedule/instants.ts'
import { addDays } from '../../core/schedule/zoned.ts'
import type { Database } from '../../db/pool.ts'
import { createUsageRepo } from '../../db/repos/usage.ts'

export type DailyBudget = {
  state(): Promise<Budget>
  /** 0: none; `null`: that of the configuration. */
  set(dailyTokens: number | null): Promise<Budget>
  /** Why no model may be called now, as a sentence for the owner; `null` when one may. */
  refusal(): Promise<string | null>
}

type BudgetDeps = {
  database: Database
  /** From the configuration. */
  dailyTokens: number | null
  calendar: Calendar
  /** How long another server on this database may not know of a change. */
  rereadMs?: number
}

export function createDailyBudget({
  database,
  dailyTokens,
  calendar,
  rereadMs = 2000,
}: BudgetDeps): DailyBudget {
  const repo = createUsageRepo(database)
  let known: { own: number | null; at: number } | null = null

  return {
    state,
    async set(own) {
      await repo.setBudget(own)
      known = null
      return await state()
    },
    async refusal() {
      if (known === null || performance.now() - known.at > rereadMs) await reread()
      if (limitOf(known?.own ?? null) === null) return null
      const { daily_tokens, used_tokens, time_zone } = await state()
      return daily_tokens !== null && used_tokens >= daily_tokens
        ? refusalOf({ daily_tokens, used_tokens, time_zone })
        : null
    },
  }

  async function state(): Promise<Budget> {
    const own = await reread()
    const [day, zone] = [today(calendar), calendar.zone()]
    return {
      daily_tokens: limitOf(own),
      set_by: own === null ? 'configuration' : 'owner',
      used_tokens: await repo.countSince(startOfDay(day, zone)),
      resets_at: startOfDay(addDays(day, 1), zone).toISOString(),
      time_zone: zone,
    }
  }

  async function reread(): Promise<number | null> {
    const own = await repo.findBudget()
    known = { own, at: performance.now() }
    return own
  }

  function limitOf(own: number | null): number | null {
    return (own ?? dailyTokens) || null
  }
}

const words = new Intl.NumberFormat('en-US')

function refusalOf({ daily_tokens, used_tokens, time_zone }: Omit<Budget, 'set_by' | 'resets_at'>): string {
  const used = `${words.format(used_tokens)} of ${words.format(daily_tokens ?? 0)} tokens`
  return `I stopped here, because today’s budget is used up (${used}). It resets at midnight (${time_zone}). Change it in Settings, under Usage.`
}
