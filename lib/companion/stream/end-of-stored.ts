import { z } from 'zod'
import { noUsage } from '../../ai/model.ts'
import type { Citation, ToolTraceEntry, TurnError } from '../../contract/events/events.ts'
import type { MessageRow } from '../../db/repos/messages.ts'
import type { EventRow } from '../../db/repos/turn_steps.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import { fromRow, type NumberedLoggedEvent } from './logged-events.ts'
import { lastEvent } from './turn-stream.ts'

export type StoredTurnEnd = {
  turn: TurnRow
  message: MessageRow | null
  /** What is left of the log beyond the reader's cursor: the last event, if anything. */
  next: EventRow | undefined
  after: number
}

const stored = z.object({
  draft_ids: z.array(z.string()).catch([]),
  citations: z.array(z.custom<Citation>()).catch([]),
  tool_trace: z.array(z.custom<ToolTraceEntry>()).catch([]),
})

/**
 * The events of a turn that has ended and whose log is gone, for a reader with a cursor: everything at once, and the
 * end. A reader that has had the end gets it again.
 */
export function endOfStored({ turn, message, next, after }: StoredTurnEnd): NumberedLoggedEvent[] {
  const { draft_ids, citations, tool_trace } = stored.parse(message?.metadata ?? {})
  const begin: NumberedLoggedEvent = {
    type: 'turn',
    seq: 1,
    data: { turn_id: turn.id, conversation_id: turn.conversation_id, routed: 'named' },
  }
  const { usage, stop_reason } = turn
  const end = lastEvent({
    answerId: message?.id ?? '',
    error: message ? turn.error : (turn.error ?? endedWithoutAnswer(stop_reason)),
    draft_ids,
    usage: usage ?? noUsage,
    stop_reason: stop_reason ?? 'end_turn',
  })
  const last = next ? fromRow(next, after) : { ...end, seq: Math.max(3, after + 1) }
  const tools = tool_trace.map(({ summary, ...call }) => ({ ...call, summary: summary ?? '' }))
  const snapshot: NumberedLoggedEvent = {
    type: 'snapshot',
    seq: last.seq - 1,
    data: { text: message?.body ?? '', tools, citations, draft_ids, status: null },
  }
  return [...(after < 1 ? [begin] : []), ...(snapshot.seq > after ? [snapshot] : []), last]
}

const endedWithoutAnswer = (stopReason: string | null): TurnError => ({
  code: stopReason ?? 'turn_closed',
  message: 'This turn ended without an answer.',
  retryable: true,
})
