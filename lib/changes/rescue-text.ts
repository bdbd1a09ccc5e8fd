import { v7 as uuid } from 'uuid'
import { makesNew } from '../contract/changes/change-status.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { textOf, titleOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict } from '../errors.ts'
import { validateCreate } from '../writes/validate-fields.ts'
import type { Ledger } from './ledger.ts'

/**
 * A draft of a new page with the text of one whose target is gone, to be looked at like any other. The draft's lock is
 * held. Throws a 409 `AppError`: `not_obsolete` while there is a target, `no_text` for one that carries no text.
 */
export async function rescueText(
  { kinds, ledger }: { kinds: Kinds; ledger: Ledger },
  tx: Queryable,
  change: PendingChange,
): Promise<PendingChange> {
  const kind = kinds.get(change.entity_type)
  const row = await createEntitiesRepo(tx).findWithinSpaces(kind, [change.space_id], change.entity_id)
  const gone = !makesNew(change.action) && (!row || row.deleted_at !== null)
  if (change.status !== 'obsolete' && !(change.status === 'pending' && gone)) {
    throw conflict('not_obsolete', `Pending change ${change.id} still has a target. Decide on it instead.`)
  }
  const body = textOf(change.payload[kind.bodyField])
  if (body === '') {
    throw conflict('no_text', `Pending change ${change.id} has no text that could become a page.`)
  }

  const title =
    textOf(change.payload.title) || (row ? titleOf(row) : '') || `Text for a ${kind.label} that is gone`
  const obsolete =
    change.status === 'obsolete'
      ? change
      : await ledger.close(tx, change, { status: 'obsolete', decided_by: null })
  const successor = await ledger.succeed(tx, obsolete, {
    derivation: 'rescued',
    action: 'create',
    entity_type: 'page',
    entity_id: uuid(),
    payload: validateCreate(kinds.get('page'), { title, body }),
    base_version: null,
  })
  await ledger.nameSuccessor(tx, obsolete, successor)
  return successor
}
