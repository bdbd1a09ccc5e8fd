import type { LoadCards } from '../../changes/card/load-cards.ts'
import { loadCardsByIds } from '../../changes/card/load-cards-by-ids.ts'
import type { Card } from '../../contract/changes/card.ts'
import type { Database } from '../../db/pool.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { NumberedLoggedEvent } from './logged-events.ts'
import type { NumberedEvent } from './turn-stream.ts'

type Deps = { database: Database; loadCards: LoadCards }

type OfTurn = Pick<TurnRow, 'space_id' | 'agent_id'>

/** Logged events for a reader, each draft with its card as of now. A draft that is gone is left out. */
export async function withCards(
  deps: Deps,
  turn: OfTurn,
  events: readonly NumberedLoggedEvent[],
): Promise<NumberedEvent[]> {
  const cards = await loadDraftCards(deps, turn, events.flatMap(draftIdsIn))
  const toDraft = (id: string) => {
    const card = cards.get(id)
    return card ? [{ pending_change_id: id, summary: card.summary, card }] : []
  }
  return events.flatMap((event): NumberedEvent[] => {
    if (event.type === 'draft') {
      return toDraft(event.data.pending_change_id).map((data) => ({ type: 'draft', seq: event.seq, data }))
    }
    if (event.type !== 'snapshot') return [event]
    const { draft_ids, ...data } = event.data
    return [{ type: 'snapshot', seq: event.seq, data: { ...data, drafts: draft_ids.flatMap(toDraft) } }]
  })
}

function draftIdsIn(event: NumberedLoggedEvent): string[] {
  if (event.type === 'draft') return [event.data.pending_change_id]
  return event.type === 'snapshot' ? event.data.draft_ids : []
}

async function loadDraftCards(
  { database, loadCards }: Deps,
  { space_id, agent_id }: OfTurn,
  ids: readonly string[],
): Promise<Map<string, Card>> {
  const cards = await loadCardsByIds(database, loadCards, { space_id, agent_id, ids })
  return new Map(cards.map((card) => [card.pending_change_id, card]))
}
