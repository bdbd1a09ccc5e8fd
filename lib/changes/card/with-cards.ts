import type {
  DecidedChange,
  PendingChange,
  PendingChangeWithCard,
} from '../../contract/changes/pending-change.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { LoadCards } from './load-cards.ts'

/** The changes, each with its card as things are now. */
export async function withCards(
  db: Database,
  loadCards: LoadCards,
  changes: readonly PendingChange[],
): Promise<PendingChangeWithCard[]> {
  const cards = await loadCards(db, changes)
  return changes.map((change, index) => ({ ...change, card: cards[index]! }))
}

export async function withCard(
  db: Database,
  loadCards: LoadCards,
  change: PendingChange,
): Promise<PendingChangeWithCard> {
  const [only] = await withCards(db, loadCards, [change])
  return only!
}

/** A change that was decided on, and the one that took its place or holds the rest of it, each with its card. */
export async function withSuccessor(
  db: Database,
  loadCards: LoadCards,
  change: PendingChange,
): Promise<DecidedChange> {
  const within = { space_ids: [change.space_id], agent_id: null }
  const next = change.superseded_by && (await createPendingChangesRepo(db).find(change.superseded_by, within))
  const [decided, successor = null] = await withCards(db, loadCards, next ? [change, next] : [change])
  return { ...decided!, successor }
}
