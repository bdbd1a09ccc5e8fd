export type TurnLimits = {
  /** Input (cached or not) and output tokens, summed over the model calls of the turn. */
  totalTokens: number
  /** From the start of `runTurn` to its end, tool calls and waits included. */
  wallClockMs: number
  /** UTF-8 bytes of one tool result. */
  resultBytes: number
  /** UTF-8 bytes of all tool results of the turn. */
  turnResultBytes: number
}

/**
 * Six calls over a full context of 200,000 tokens come to about a million, most of it read from the cache. A result
 * of 48 KiB is roughly 12,000 tokens, which is more than a page that a person would paste.
 */
export const defaultLimits: TurnLimits = {
  totalTokens: 1_000_000,
  wallClockMs: 10 * 60_000,
  resultBytes: 48 * 1024,
  turnResultBytes: 256 * 1024,
}

/** What a result may always hold, however full the turn is: enough to say which draft was stored. */
export const minimumResultBytes = 1024
