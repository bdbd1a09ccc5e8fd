// The parts that change something, each wrapped so that it tells what it did. The parts themselves know nothing of it.

import type { Undo } from '../changes/undo.ts'
import type { Writer } from '../changes/write.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Undone } from '../contract/history.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { Logger } from '../logger.ts'
import type { AfterCommit } from './after-commit.ts'
import type { Live } from './live.ts'

export function announceWrites(writer: Writer, live: Live, afterCommit: AfterCommit): Writer {
  return {
    async write(tx, write, context) {
      const row = await writer.write(tx, write, context)
      const { id, space_id, version } = row
      afterCommit.queue(tx, () => {
        live.publish({
          type: 'entity',
          data: { kind: write.type, id, space_id, version, action: write.action },
        })
      })
      return row
    },
  }
}

/** Must not throw. */
export type ChangeTeller = (tx: Queryable, change: PendingChange) => void

/** Tells of a draft's new state, and of the number that waits, once the transaction has committed. */
export function createChangeTeller(
  { database, queue }: AfterCommit,
  live: Live,
  logger: Logger,
): ChangeTeller {
  return (tx, { id, space_id, changeset_id, entity_id, action, status }) => {
    queue(tx, () => {
      live.publish({ type: 'change', data: { id, space_id, changeset_id, entity_id, action, status } })
    })
    queue(tx, tellCount, 'inbox')
  }

  async function tellCount(): Promise<void> {
    try {
      const count = await createPendingChangesRepo(database).countPending()
      live.publish({ type: 'inbox', data: { count } })
    } catch (error) {
      logger.warn({ err: error }, 'the waiting drafts could not be counted')
    }
  }
}

export function announceUndos(undo: Undo, { database, live }: { database: Database; live: Live }): Undo {
  return {
    change: async (...args) => await tell(await undo.change(...args)),
    draft: async (...args) => await tell(await undo.draft(...args)),
    async changeset(...args) {
      const all = await undo.changeset(...args)
      for (const undone of all) await tell(undone)
      return all
    },
  }

  async function tell(undone: Undone): Promise<Undone> {
    const { entity_type, entity_id, draft } = undone
    if (entity_type === 'space') live.publish({ type: 'space', data: { id: entity_id, action: 'update' } })
    const within = { space_ids: null, agent_id: null }
    const change = draft && (await createPendingChangesRepo(database).find(draft.pending_change_id, within))
    if (change) {
      const { id, space_id, changeset_id, action, status } = change
      const data = { id, space_id, changeset_id, entity_id, action, status, undone: draft.undone }
      live.publish({ type: 'change', data })
    }
    return undone
  }
}
