export type TurnLimits = {
  /** Tool calls, however many messages of the model they come in. */
  calls: number
  /** Input (cached or not) and output tokens, summed over the model calls of the turn. */
  totalTokens: number
  /** From the start of `runTurn` to its end, tool calls and waits included. */
  wallClockMs: number
  /** UTF-8 bytes of one tool result. */
  resultBytes: number
  /** UTF-8 bytes of all tool results of the turn. */
  turnResultBytes: number
  /** UTF-8 bytes of all that is stored of the turn: its answer, its events, the model's calls and thinking, results. */
  turnBytes: number
}

/**
 * Six calls over a full context of 200,000 tokens come to about a million, most of it read from the cache. A result
 * of 48 KiB is roughly 12,000 tokens, which is more than a page that a person would paste.
 */
export const defaultLimits: TurnLimits = {
  calls: 32,
  totalTokens: 1_000_000,
  wallClockMs: 10 * 60_000,
  resultBytes: 48 * 1024,
  turnResultBytes: 256 * 1024,
  // Fifty drafts of the longest pages that a model writes stay far below it; only a model that goes on and on gets there.
  turnBytes: 32 * 1024 * 1024,
}

/** What a result may always hold, however full the turn is: enough to say which draft was stored. */
export const minResultBytes = 1024
