// An optional limit of tokens a day. It is looked at before each call of a model: a step that runs is never cut off.
// Turns at work at the same time may go over it by what is under way: each looks, and then calls.
//
// Tokens and not money: each answer of a model says its tokens, while a cost is known only where a price is, and prices
// change. A limit that holds only sometimes is none.

import type { Budget } from '../../contract/companion/usage.ts'
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
  now: () => Date
  /** How long another server on this database may not know of a change. */
  rereadMs?: number
}

export function createDailyBudget({ database, dailyTokens, now, rereadMs = 2000 }: BudgetDeps): DailyBudget {
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
    const time = now()
    return {
      daily_tokens: limitOf(own),
      set_by: own === null ? 'configuration' : 'owner',
      used_tokens: await repo.countSince(midnight(time)),
      resets_at: midnight(time, 1).toISOString(),
      time_zone: timeZone(),
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

// What a day is: from midnight to midnight where the server is (its TZ), however long that is when clocks change.

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The midnight that a time comes after, `days` later. */
export function midnight(time: Date, days = 0): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days)
}

/** The midnight that a YYYY-MM-DD begins with. */
export function startOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}
