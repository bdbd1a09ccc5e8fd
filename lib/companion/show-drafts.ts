import { loadCard } from '../changes/cards.ts'
import type { DraftEvent } from '../contract/events.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { NumberedLoggedEvent } from './logged-events.ts'
import type { NumberedEvent } from './turn-stream.ts'

type Deps = { database: Database; kinds: Kinds }

type OfTurn = Pick<TurnRow, 'space_id' | 'agent_id'>

/** A draft of the turn with its card as it stands now; `null` when there is none of that id. */
export async function findDraft(
  { database, kinds }: Deps,
  { space_id, agent_id }: OfTurn,
  id: string,
): Promise<DraftEvent | null> {
  const change = await createPendingChangesRepo(database).find(id, { space_ids: [space_id], agent_id })
  if (!change) return null
  const card = await loadCard(database, kinds, change)
  return { pending_change_id: change.id, summary: card.summary, card }
}

/** A logged event as readers are told it. `null` for a draft that is gone. */
export async function showDrafts(
  deps: Deps,
  turn: OfTurn,
  event: NumberedLoggedEvent,
): Promise<NumberedEvent | null> {
  if (event.type === 'draft') {
    const draft = await findDraft(deps, turn, event.data.pending_change_id)
    return draft && { type: 'draft', seq: event.seq, data: draft }
  }
  if (event.type !== 'snapshot') return event
  const { draft_ids, ...data } = event.data
  const drafts = await Promise.all(draft_ids.map((id) => findDraft(deps, turn, id)))
  return {
    type: 'snapshot',
    seq: event.seq,
    data: { ...data, drafts: drafts.filter((draft) => draft !== null) },
  }
}
