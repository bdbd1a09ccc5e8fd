// From what an agent asks for to what is stored: the drafts that it builds on, the fields checked against the kind, the
// edits resolved to an exact text, the references found.

import { v7 as uuid } from 'uuid'
import { changedFields, validateCreate, validateUpdate } from '../../content/writes/validate-fields.ts'
import { makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { extendDraft } from './extend-draft.ts'
import { type Proposal, withEdits } from './proposal.ts'

/**
 * The drafts that a proposal takes the place of: what the agent has waiting for the same entity, oldest first,
 * or, where the proposal names the draft that it revises, for that one's. Throws `AppError`: 404 for a draft that is
 * not the agent's, 400 for one of another entity or action, 409 `already_decided`.
 */
export async function listOlderDrafts(
  db: Queryable,
  { agent_id }: AgentActor,
  proposal: Proposal,
): Promise<PendingChange[]> {
  const { space_id, entity_type, entity_id, action, supersedes } = proposal
  const changes = createPendingChangesRepo(db)
  if (supersedes === undefined) {
    if (makesNew(action) || !entity_id) return []
    return await changes.listWaiting({ space_id, agent_id, entity_type, entity_id })
  }

  const revised = await changes.find(supersedes, { space_ids: [space_id], agent_id })
  if (!revised) throw notFound('draft of yours', supersedes)
  checkRevises(proposal, revised)
  const waiting = await changes.listWaiting(revised)
  if (!waiting.some(({ id }) => id === supersedes)) {
    const current = (await changes.find(supersedes, { space_ids: [space_id], agent_id })) ?? revised
    throw conflict('already_decided', `The draft ${supersedes} is already ${current.status}.`, { current })
  }
  return waiting
}

export type ResolvedDraft = Pick<PendingChange, 'action' | 'entity_id' | 'payload' | 'base_version'>

/** `row`: what would change; null for what is new. */
type Resolved = { draft: ResolvedDraft; row: EntityRow | null }

type Input = {
  kind: Kind
  proposal: Proposal
  changesetId: string
  /** An earlier draft that this one builds on: what it does not mention stays as drafted there. */
  earlier: PendingChange | null
  /** An update of an earlier turn that waits: its changes are added to those of this one. */
  waiting: PendingChange | null
  threads: TextThreads
  /** Whether the agent may read the entity: only then does a refusal hold the current row. */
  readable: boolean
}

/**
 * Throws `AppError`: 400 for what does not fit the kind, 403 for edits of a text that the agent may not read, 404 for no
 * target, 409 `stale_version`.
 */
export async function resolveDraft(db: Queryable, kinds: Kinds, input: Input): Promise<Resolved> {
  const resolved = await resolve(db, input)
  await checkReferences(db, kinds, input, resolved.draft.payload)
  return resolved
}

async function resolve(db: Queryable, input: Input): Promise<Resolved> {
  const { kind, proposal, earlier, readable } = input
  if (proposal.edits?.length && !readable) {
    throw forbidden(
      `This token may not read the ${kind.label}, so it cannot edit parts of it. Send whole fields.`,
    )
  }
  const drafted = earlier?.payload ?? {}
  if (earlier && makesNew(earlier.action) && proposal.action !== 'delete') {
    const payload = validateCreate(kind, { ...drafted, ...withEdits(kind, drafted, proposal) })
    const { action, entity_id } = earlier
    return { draft: { action, entity_id, payload, base_version: null }, row: null }
  }
  if (makesNew(proposal.action)) {
    if (proposal.edits) throw invalid('A create takes payload, not edits.')
    const payload = validateCreate(kind, proposal.payload ?? {})
    const { action } = proposal
    return { draft: { action, entity_id: uuid(), payload, base_version: null }, row: null }
  }

  const row = await findTarget(db, input)
  const target = { entity_id: row.id, base_version: row.version }
  if (proposal.action === 'delete') return { draft: { ...target, action: 'delete', payload: {} }, row }

  const moved = earlier?.action === 'update' && earlier.base_version !== row.version
  if (moved && proposal.supersedes) {
    const message = `The ${kind.label} ${row.id} has changed since that draft was made. Read it and draft again.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  const unchanged = moved ? {} : drafted
  const wanted = input.waiting
    ? await extendDraft(db, { ...input, row }, input.waiting)
    : { ...unchanged, ...withEdits(kind, { ...row, ...unchanged }, proposal) }
  const payload = changedFields(row, validateUpdate(kind, wanted))
  if (Object.keys(payload).length === 0) {
    throw invalid(`This would change nothing: the ${kind.label} already has these values.`)
  }
  return { draft: { ...target, action: 'update', payload }, row }
}

async function findTarget(db: Queryable, { kind, proposal, readable }: Input): Promise<EntityRow> {
  const { space_id, entity_id, version } = proposal
  if (!entity_id) throw invalid(`entity_id is missing: which ${kind.label}?`)
  const row = await createEntitiesRepo(db).find(kind, space_id, entity_id)
  if (!row) throw notFound(kind.label, entity_id)
  if (version !== undefined && version !== row.version) {
    const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  return row
}

// A reference may name what an earlier draft of the same changeset would create.
async function checkReferences(
  db: Queryable,
  kinds: Kinds,
  { kind, proposal: { space_id }, changesetId }: Input,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const [column, type] of Object.entries(kind.references)) {
    const target = payload[column]
    if (typeof target !== 'string') continue
    if (await createEntitiesRepo(db).find(kinds.get(type), space_id, target)) continue
    const wanted = { space_id, changeset_id: changesetId, entity_id: target }
    const [creator] = await createPendingChangeListsRepo(db).listCreators([wanted])
    if (creator?.entity_type === type && creator.status === 'pending') continue
    throw invalid(`${column}: there is no ${kinds.get(type).label} ${target} in this Space.`)
  }
}

function checkRevises({ entity_type, entity_id, action }: Proposal, revised: PendingChange): void {
  const { id } = revised
  if (revised.entity_type !== entity_type || (entity_id && entity_id !== revised.entity_id)) {
    throw invalid(`The draft ${id} is of the ${revised.entity_type} ${revised.entity_id}. Revise that one.`)
  }
  if (makesNew(revised.action) !== makesNew(action)) {
    throw invalid(`The draft ${id} is a ${revised.action}. Revise it as such, or retract it.`)
  }
}
