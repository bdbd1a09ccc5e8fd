import type { Changeset, ChangesetItem, PendingChangeWithCard } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import type { LoadCards } from './card/load-cards.ts'
import { withCards } from './card/with-cards.ts'
import { creatorsNeeded, orderByNeed } from './changeset-order.ts'

/** A changeset with the cards of its drafts and what each needs; `null` when the actor can see none of them. */
export async function loadChangeset(
  db: Database,
  { kinds, loadCards }: { kinds: Kinds; loadCards: LoadCards },
  { id, space_ids, agent_id }: { id: string; space_ids: readonly string[] | null; agent_id: string | null },
): Promise<Changeset | null> {
  const all = await createPendingChangeListsRepo(db).listChangeset(space_ids, id)
  const changes = all.filter((change) => agent_id === null || change.agent_id === agent_id)
  const [first] = changes
  if (!first) return null

  const current = changes.filter(({ status }) => status !== 'superseded')
  const ordered = orderByNeed(kinds, current)
  const items = await withCards(db, loadCards, ordered)
  const { space_id, conversation_id, turn_id } = first
  return { id, space_id, agent_id: first.agent_id, conversation_id, turn_id, items: items.map(withNeeds) }

  function withNeeds(item: PendingChangeWithCard): ChangesetItem {
    const needs = creatorsNeeded(kinds, item, items).map(({ id, entity_type, entity_id, status }) => {
      const summary = items.find((one) => one.id === id)?.card.summary ?? ''
      return { pending_change_id: id, entity_type, entity_id, status, summary }
    })
    return { ...item, needs }
  }
}
