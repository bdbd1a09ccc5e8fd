// The one way an entity changes: the owner's edits, approved drafts and imports all go through `write`. In the caller's
// transaction it compares versions and stores the row (store-entity.ts), updates names, links and the search index
// (update-derived.ts), and appends the audit row. The audit chain's lock, which every writer shares, is taken first, so
// that writers queue and cannot deadlock.

import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { type Actor, actorName } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { Search } from '../../search/search.ts'
import type { EntityWrite } from './entity-write.ts'
import { storeEntity } from './store-entity.ts'
import { updateDerived } from './update-derived.ts'

type WriteContext = {
  actor: Actor
  pendingChangeId?: string
  /** The audit row that this write undoes, or the run of rows. */
  undoes?: { seq: number; since: number | null }
}

export type Writer = {
  /**
   * Applies one write in the caller's transaction and returns the row as it is afterwards. An update that changes
   * nothing returns the row as it was, without a new version.
   *
   * Throws `AppError`: 400 for fields that do not fit the kind, 404 for an absent entity, 409 `stale_version` (with
   * `details.current`) for another version than the one named, 409 `missing_reference` for a reference to nothing.
   */
  write(tx: Queryable, write: EntityWrite, context: WriteContext): Promise<EntityRow>
}

type WriterDeps = { kinds: Kinds; search: Search; now: () => Date }

export function createWriter({ kinds, search, now }: WriterDeps): Writer {
  return {
    async write(tx, write, context) {
      const kind = kinds.get(write.type)
      await createAuditRepo(tx).lock()
      const restores = context.undoes !== undefined
      const change = await storeEntity(tx, { kinds, kind, write, actor: context.actor, now, restores })
      if (!change) return await findCurrent(tx, kind, write)

      const { row } = change
      if (!kind.internal) {
        await updateDerived(tx, search, {
          action: write.action,
          kind,
          row,
          changed: Object.keys(change.after ?? {}),
          paths: write.action === 'create' ? write.paths : undefined,
        })
      }
      await createAuditRepo(tx).append({
        space_id: write.space_id,
        actor: actorName(context.actor),
        action: write.action,
        entity_type: kind.type,
        entity_id: row.id,
        version: row.version,
        before: change.before,
        after: change.after,
        pending_change_id: context.pendingChangeId ?? null,
        undoes: context.undoes?.seq ?? null,
        undoes_since: context.undoes?.since ?? null,
      })
      return row
    },
  }
}

async function findCurrent(tx: Queryable, kind: Kind, write: EntityWrite): Promise<EntityRow> {
  const row = write.id && (await createEntitiesRepo(tx).find(kind, write.space_id, write.id))
  if (!row) throw notFound(kind.label, write.id ?? '')
  return row
}
