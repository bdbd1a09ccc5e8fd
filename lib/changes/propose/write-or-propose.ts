import type { EntityWrite } from '../../content/writes/store-entity.ts'
import type { LookFirst, Writer } from '../../content/writes/write.ts'
import type { PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { EntityRow } from '../../contract/entities/kind.ts'
import type { Actor } from '../../core/actor.ts'
import { forbidden } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import type { ProposeChange } from './propose.ts'

/** What became of a write that was requested: it was applied, or drafted. */
export type WriteResult = { row: EntityRow } | { draft: PendingChangeWithCard }

/**
 * Applies the owner's writes and drafts an agent's, with its `reason` for the owner. Throws `AppError` as a writer and as
 * `proposeChange` do, and 403 for an agent that would restore.
 */
export type WriteOrPropose = (actor: Actor, write: EntityWrite, reason?: string) => Promise<WriteResult>

type WriteOrProposeDeps = {
  database: Database
  writer: Writer
  proposeChange: ProposeChange
  lookFirst: LookFirst
}

export function createWriteOrPropose({
  database,
  writer,
  proposeChange,
  lookFirst,
}: WriteOrProposeDeps): WriteOrPropose {
  return async (actor, write, reason = '') => {
    if (actor.kind !== 'agent') {
      if (write.action !== 'create' && write.type === 'page') await lookFirst(write.space_id, [write.id])
      return { row: await database.transaction((tx) => writer.write(tx, write, { actor })) }
    }
    if (write.action === 'restore') throw forbidden('Only the owner may restore.')
    const { action, type, space_id } = write
    const draft = await proposeChange(actor, {
      action,
      entity_type: type,
      space_id,
      ...(write.action === 'create' ? {} : { entity_id: write.id, version: write.version ?? undefined }),
      ...('fields' in write ? { payload: write.fields } : {}),
      reason,
      turn: null,
      tool_use_id: null,
    })
    return { draft }
  }
}
