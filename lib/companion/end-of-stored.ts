import { z } from 'zod'
import { noUsage } from '../ai/model.ts'
import type { Citation, ToolTraceEntry } from '../contract/events.ts'
import type { MessageRow } from '../db/repos/messages.ts'
import type { EventRow } from '../db/repos/turn_events.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import { fromRow, type NumberedLoggedEvent } from './logged-events.ts'

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
 * What a reader with a cursor is told of a turn that has ended and whose log is gone: everything at once, and the end.
 * A reader that has had the end is told it again.
 */
export function endOfStored({ turn, message, next, after }: StoredTurnEnd): NumberedLoggedEvent[] {
  const { draft_ids, citations, tool_trace } = stored.parse(message?.metadata ?? {})
  const begin: NumberedLoggedEvent = {
    type: 'turn',
    seq: 1,
    data: { turn_id: turn.id, conversation_id: turn.conversation_id, routed: 'named' },
  }
  const last = next
    ? fromRow(next, after)
    : { ...toEnd(turn, message, draft_ids), seq: Math.max(3, after + 1) }
  const tools = tool_trace.map(({ summary, ...call }) => ({ ...call, summary: summary ?? '' }))
  const snapshot: NumberedLoggedEvent = {
    type: 'snapshot',
    seq: last.seq - 1,
    data: { text: message?.body ?? '', tools, citations, draft_ids, status: null },
  }
  return [...(after < 1 ? [begin] : []), ...(snapshot.seq > after ? [snapshot] : []), last]
}

function toEnd(turn: TurnRow, message: MessageRow | null, draftIds: string[]) {
  if (turn.error || !message) {
    const error = turn.error ?? {
      code: turn.stop_reason ?? 'turn_closed',
      message: 'This turn has ended without an answer.',
      retryable: true,
    }
    return { type: 'error' as const, data: error }
  }
  return {
    type: 'done' as const,
    data: {
      assistant_message_id: message.id,
      draft_ids: draftIds,
      usage: turn.usage ?? noUsage,
      stop_reason: turn.stop_reason ?? 'end_turn',
    },
  }
}
