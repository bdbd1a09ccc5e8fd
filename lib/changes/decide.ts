// The owner's decision: the only place where a stored draft becomes a change. One transaction each: lock the draft,
// compare hash and version, apply, audit. Locks are taken in the order draft, entity, audit chain.

import { type Actor, actorName } from '../auth/actor.ts'
import { canAct } from '../auth/capability.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import type { Kinds } from '../entities/kinds.ts'
import { type AppError, conflict, forbidden, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import type { EntityWrite, Writer } from './write.ts'

export type Decisions = {
  /**
   * Applies the draft. Approving what was approved answers the same again.
   * Throws `AppError` 409: `already_decided` (another decision came first), `payload_mismatch` (the hash is not of
   * this draft), `stale_version` (the entity has moved on), `obsolete` (the entity is gone; the draft is now marked
   * so), `missing_reference` (it needs what another draft would create), `space_deleted` (restore the Space first).
   */
  approve(actor: Actor, id: string, options?: { payload_sha256?: string | undefined }): Promise<PendingChange>
  /** Closes the draft without a change. Rejecting what was rejected answers the same again, the first reason kept. */
  reject(actor: Actor, id: string, options?: { reason?: string | undefined }): Promise<PendingChange>
}

type Outcome = { change: PendingChange; refusal?: AppError }

export function createDecisions({
  database,
  kinds,
  writer,
}: {
  database: Database
  kinds: Kinds
  writer: Writer
}): Decisions {
  return {
    async approve(actor, id, options = {}) {
      return await decide(actor, id, async (tx, change) => {
        if (change.status === 'approved') return { change }
        if (options.payload_sha256 !== undefined && options.payload_sha256 !== change.payload_sha256) {
          throw conflict(
            'payload_mismatch',
            `The hash is not that of pending change ${id}. Look at it again.`,
            {
              current: change,
            },
          )
        }
        refuseIfDecided(change)
        return await apply(tx, actor, change)
      })
    },

    async reject(actor, id, options = {}) {
      return await decide(actor, id, async (tx, change) => {
        if (change.status === 'rejected') return { change }
        refuseIfDecided(change)
        const reason = options.reason === undefined ? null : cleanText(options.reason)
        return { change: await close(tx, actor, change, { status: 'rejected', decision: 'reject', reason }) }
      })
    },
  }

  // A refusal that has to leave a mark (obsolete) is thrown only after the transaction that marks it.
  async function decide(
    actor: Actor,
    id: string,
    run: (tx: Queryable, change: PendingChange) => Promise<Outcome>,
  ): Promise<PendingChange> {
    if (canAct(actor, 'decide', 'pending_change') !== 'allow') {
      throw forbidden('Only the owner decides on pending changes.')
    }
    const { change, refusal } = await database.transaction(async (tx) => {
      const change = await createPendingChangesRepo(tx).lock(id)
      if (!change) throw notFound('pending change', id)
      return await run(tx, change)
    })
    if (refusal) throw refusal
    return change
  }

  async function apply(tx: Queryable, actor: Actor, change: PendingChange): Promise<Outcome> {
    const kind = kinds.get(change.entity_type)
    if (!(await createSpacesRepo(tx).find(change.space_id, null))) {
      throw conflict('space_deleted', 'The Space of this draft is in the trash. Restore it first.', {
        space_id: change.space_id,
      })
    }
    if (change.action !== 'create') {
      const row = await createEntitiesRepo(tx).lock(kind, change.space_id, change.entity_id)
      if (!row || row.deleted_at !== null) {
        const obsolete = await close(tx, actor, change, { status: 'obsolete', decision: null, reason: null })
        return {
          change: obsolete,
          refusal: conflict(
            'obsolete',
            `The ${kind.label} ${change.entity_id} is gone, so there is nothing to change.`,
            {
              current: obsolete,
            },
          ),
        }
      }
    }

    const row = await writer.write(tx, toWrite(change), { actor, pendingChangeId: change.id })
    const approved = await close(tx, actor, change, {
      status: 'approved',
      decision: 'approve',
      reason: null,
      version: row.version,
    })
    return { change: approved }
  }

  async function close(
    tx: Queryable,
    actor: Actor,
    change: PendingChange,
    outcome: {
      status: 'approved' | 'rejected' | 'obsolete'
      decision: 'approve' | 'reject' | null
      reason: string | null
      version?: number
    },
  ): Promise<PendingChange> {
    return await createPendingChangesRepo(tx).decide(change.id, {
      status: outcome.status,
      decided_by: outcome.decision ? actorName(actor) : null,
      decision: outcome.decision && { decision: outcome.decision, reason: outcome.reason },
      result_version: outcome.version ?? null,
    })
  }
}

function refuseIfDecided(change: PendingChange): void {
  if (change.status === 'pending') return
  throw conflict('already_decided', `Pending change ${change.id} is already ${change.status}.`, {
    current: change,
  })
}

function toWrite(change: PendingChange): EntityWrite {
  const target = { type: change.entity_type, space_id: change.space_id, id: change.entity_id }
  switch (change.action) {
    case 'create':
      return { ...target, action: 'create', fields: change.payload, origin: 'agent' }
    case 'update':
      return { ...target, action: 'update', version: change.base_version!, fields: change.payload }
    case 'delete':
      return { ...target, action: 'delete', version: change.base_version! }
  }
}
