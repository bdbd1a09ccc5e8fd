import { z } from 'zod'
import { noUsage } from '../ai/model.ts'
import { loadCard } from '../changes/cards.ts'
import type { Citation } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import { TurnStream } from './turn-stream.ts'

const stored = z.object({
  draft_ids: z.array(z.string()).catch([]),
  citations: z.array(z.custom<Citation>()).catch([]),
})

/**
 * The events of a turn that has ended, made from what was stored: the answer as one delta, its citations, its drafts
 * as they stand now, and the end.
 */
export async function replayTurn(
  deps: { database: Database; kinds: Kinds },
  turn: TurnRow,
): Promise<TurnStream> {
  const stream = new TurnStream(turn.id)
  const message = await createMessagesRepo(deps.database).findOfTurn(turn.id, 'assistant')
  const { draft_ids, citations } = stored.parse(message?.metadata ?? {})

  stream.emit({
    type: 'turn',
    data: { turn_id: turn.id, conversation_id: turn.conversation_id, routed: 'named' },
  })
  if (message?.body) stream.emit({ type: 'delta', data: { text: message.body } })
  for (const citation of citations) stream.emit({ type: 'citation', data: citation })
  for (const id of draft_ids) await emitDraft(deps, turn, id, stream)

  if (message && !turn.error) {
    stream.emit({
      type: 'done',
      data: {
        assistant_message_id: message.id,
        draft_ids,
        usage: turn.usage ?? noUsage,
        stop_reason: turn.stop_reason ?? 'end_turn',
      },
    })
  } else {
    stream.emit({ type: 'error', data: turn.error ?? runsElsewhere })
  }
  return stream
}

const runsElsewhere = {
  code: 'turn_running',
  message: 'This turn is still running on another server. Its answer will be in the conversation.',
  retryable: true,
}

async function emitDraft(
  { database, kinds }: { database: Database; kinds: Kinds },
  turn: TurnRow,
  id: string,
  stream: TurnStream,
): Promise<void> {
  const change = await createPendingChangesRepo(database).find(id, {
    space_ids: [turn.space_id],
    agent_id: turn.agent_id,
  })
  if (!change) return
  const card = await loadCard(database, kinds, change)
  stream.emit({ type: 'draft', data: { pending_change_id: id, summary: card.summary, card } })
}
