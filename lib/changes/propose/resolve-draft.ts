// From what an agent asks for to what is stored: the fields checked against the kind, the edits resolved to an exact
// text, the references found.

import { v7 as uuid } from 'uuid'
import { makesNew } from '../../contract/changes/change-status.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import type { EntityRow, Kind } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { conflict, forbidden, invalid, notFound } from '../../errors.ts'
import type { Compute } from '../../workers/compute.ts'
import { changedFields, validateCreate, validateUpdate } from '../../writes/validate-fields.ts'
import { extendDraft } from './extend-draft.ts'
import type { Proposal } from './proposal.ts'
import { withEdits } from './with-edits.ts'

export type ResolvedDraft = Pick<PendingChange, 'action' | 'entity_id' | 'payload' | 'base_version'>

type Input = {
  kind: Kind
  proposal: Proposal
  changesetId: string
  /** An earlier draft that this one builds on: what it does not mention stays as drafted there. */
  earlier: PendingChange | null
  /** An update of an earlier turn that waits: its changes are added to those of this one. */
  waiting: PendingChange | null
  compute: Compute
  /** Whether the agent may read the entity: only then does a refusal hold the current row. */
  readable: boolean
}

/**
 * Throws `AppError`: 400 for what does not fit the kind, 403 for edits of a text that the agent may not read, 404 for no
 * target, 409 `stale_version`.
 */
export async function resolveDraft(tx: Queryable, kinds: Kinds, input: Input): Promise<ResolvedDraft> {
  const draft = await resolve(tx, input)
  await checkReferences(tx, kinds, input, draft.payload)
  return draft
}

async function resolve(tx: Queryable, input: Input): Promise<ResolvedDraft> {
  const { kind, proposal, earlier, readable } = input
  if (proposal.edits?.length && !readable) {
    throw forbidden(
      `This token may not read the ${kind.label}, so it cannot edit parts of it. Send whole fields.`,
    )
  }
  const drafted = earlier?.payload ?? {}
  if (earlier && makesNew(earlier.action) && proposal.action !== 'delete') {
    const payload = validateCreate(kind, { ...drafted, ...withEdits(kind, drafted, proposal) })
    return { action: earlier.action, entity_id: earlier.entity_id, payload, base_version: null }
  }
  if (makesNew(proposal.action)) {
    if (proposal.edits) throw invalid('A create takes payload, not edits.')
    const payload = validateCreate(kind, proposal.payload ?? {})
    return { action: proposal.action, entity_id: uuid(), payload, base_version: null }
  }

  const row = await findTarget(tx, input)
  const target = { entity_id: row.id, base_version: row.version }
  if (proposal.action === 'delete') return { ...target, action: 'delete', payload: {} }

  const moved = earlier?.action === 'update' && earlier.base_version !== row.version
  if (moved && proposal.supersedes) {
    const message = `The ${kind.label} ${row.id} has changed since that draft was made. Read it and draft again.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  const unchanged = moved ? {} : drafted
  const wanted = input.waiting
    ? await extendDraft(tx, { ...input, row }, input.waiting)
    : { ...unchanged, ...withEdits(kind, { ...row, ...unchanged }, proposal) }
  const payload = changedFields(row, validateUpdate(kind, wanted))
  if (Object.keys(payload).length === 0) {
    throw invalid(`This would change nothing: the ${kind.label} already has these values.`)
  }
  return { ...target, action: 'update', payload }
}

async function findTarget(tx: Queryable, { kind, proposal, readable }: Input): Promise<EntityRow> {
  const { space_id, entity_id, version } = proposal
  if (!entity_id) throw invalid(`entity_id is missing: which ${kind.label}?`)
  const row = await createEntitiesRepo(tx).find(kind, space_id, entity_id)
  if (!row) throw notFound(kind.label, entity_id)
  if (version !== undefined && version !== row.version) {
    const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  return row
}

// A reference may name what an earlier draft of the same changeset would create.
async function checkReferences(
  tx: Queryable,
  kinds: Kinds,
  { kind, proposal: { space_id }, changesetId }: Input,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const [column, type] of Object.entries(kind.references)) {
    const target = payload[column]
    if (typeof target !== 'string') continue
    if (await createEntitiesRepo(tx).find(kinds.get(type), space_id, target)) continue
    const wanted = { space_id, changeset_id: changesetId, entity_id: target }
    const [creator] = await createPendingChangeListsRepo(tx).listCreators([wanted])
    if (creator?.entity_type === type && creator.status === 'pending') continue
    throw invalid(`${column}: there is no ${kinds.get(type).label} ${target} in this Space.`)
  }
}
