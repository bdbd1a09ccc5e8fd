// What models used and cost.

import type { Usage } from './events.ts'

/** What a model was called for: an answer, or what goes on beside the answers. */
export type CallPurpose = 'answer' | 'routing' | 'naming' | 'summary' | 'test'

export type UsageGrouping = 'day' | 'agent' | 'model' | 'conversation' | 'turn' | 'purpose'

export type UsageSum = Usage & {
  /** Answers, and calls beside them. */
  count: number
  /** All four kinds together. */
  tokens: number
  /** In US dollars, as the prices stand now; `null` when no model in it has a price. */
  cost: number | null
  /** Tokens of models without a price, which `cost` leaves out. */
  unpriced_tokens: number
  /** From the beginning to the end, tools included. */
  duration_ms: number
}

export type UsageItem = UsageSum & {
  /** A day as YYYY-MM-DD, a slug, a model's name, an id or a purpose; empty for what belongs to none. */
  key: string
  /** The same for people: an agent's name, a conversation's title. */
  label: string
  /** Of a conversation or a turn; `null` where it is gone. */
  conversation_id: string | null
  space_id: string | null
}

export type Budget = {
  /** Tokens that may be used in a day; `null`: any number. */
  daily_tokens: number | null
  /** Where that comes from. */
  set_by: 'configuration' | 'owner'
  /** Used since midnight, what still runs included. */
  used_tokens: number
  /** The next midnight. */
  resets_at: string
  /** Of the server: what a day is. */
  time_zone: string
}

export type UsageReport = {
  by: UsageGrouping
  /** Days, both included. */
  from: string
  to: string
  items: UsageItem[]
  next_cursor: string | null
  total: UsageSum
  budget: Budget
  /** The day as of which the list prices hold. */
  prices_as_of: string
}
