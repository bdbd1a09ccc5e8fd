// Publishes what parts did that know nothing of live events: drafts that changed, calls that ended, undos.

import type { Undo } from '../../content/writes/undo.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Undone } from '../../contract/entities.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { Live } from './live.ts'

/** Must not throw. */
export type ChangeNotifier = (tx: Tx, change: PendingChange) => void

/** Publishes a draft's new state, and the number of pending drafts, once the transaction has committed. */
export function createChangeNotifier(database: Database, live: Live, logger: Logger): ChangeNotifier {
  return (tx, { id, space_id, changeset_id, entity_id, action, status }) => {
    tx.afterCommit(() => {
      live.publish({ type: 'change', data: { id, space_id, changeset_id, entity_id, action, status } })
    })
    tx.afterCommit(publishCount, 'inbox')
  }

  async function publishCount(): Promise<void> {
    try {
      const count = await createPendingChangeListsRepo(database).countPending()
      live.publish({ type: 'inbox', data: { count } })
    } catch (error) {
      logger.warn({ err: error }, 'pending changes not counted')
    }
  }
}

/** Publishes a draft after its call changed state. Never rejects. */
export function createCallNotifier(
  database: Database,
  live: Live,
  logger: Logger,
): (callId: string) => Promise<void> {
  return async (callId) => {
    try {
      const change = await createPendingChangesRepo(database).findApprovedOf(callId)
      if (!change) return
      const { id, space_id, changeset_id, entity_id, action, status } = change
      live.publish({ type: 'change', data: { id, space_id, changeset_id, entity_id, action, status } })
    } catch (error) {
      logger.warn({ err: error }, 'end of call not published')
    }
  }
}

export function announceUndos(undo: Undo, { database, live }: { database: Database; live: Live }): Undo {
  return {
    change: async (...args) => await announceOne(await undo.change(...args)),
    draft: async (...args) => await announceOne(await undo.draft(...args)),
    async changeset(actor, changesetId) {
      const all = await undo.changeset(actor, changesetId)
      const changes = await createPendingChangeListsRepo(database).listChangeset(null, changesetId)
      for (const undone of all) announce(undone, changes)
      return all
    },
  }

  async function announceOne(undone: Undone): Promise<Undone> {
    const id = undone.draft?.pending_change_id
    const within = { space_ids: null, agent_id: null }
    const change = id ? await createPendingChangesRepo(database).find(id, within) : null
    announce(undone, change ? [change] : [])
    return undone
  }

  function announce({ entity_type, entity_id, draft }: Undone, changes: readonly PendingChange[]): void {
    if (entity_type === 'space') live.publish({ type: 'space', data: { id: entity_id, action: 'update' } })
    const change = draft && changes.find(({ id }) => id === draft.pending_change_id)
    if (!change) return
    const { id, space_id, changeset_id, action, status } = change
    const data = { id, space_id, changeset_id, entity_id, action, status, undone: draft.undone }
    live.publish({ type: 'change', data })
  }
}
