// From what an agent asks for to what is stored: the fields checked against the kind, the edits resolved to an exact
// text, the references found.

import { v7 as uuid } from 'uuid'
import type { PendingChange } from '../contract/card.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import { applyEdits, type Edit } from './apply-edits.ts'
import { changedFields, validateCreate, validateUpdate } from './validate-fields.ts'

export type DraftRequest = {
  space_id: string
  action: PendingChange['action']
  entity_id?: string
  /** The version the agent saw; left out: the current one. */
  version?: number
  payload?: Record<string, unknown>
  edits?: readonly Edit[]
  /** A draft of the agent's own that this one revises: what it does not mention stays as drafted there. */
  supersedes?: string
}

export type Draft = Pick<PendingChange, 'action' | 'entity_id' | 'payload' | 'base_version'>

type Input = {
  kind: Kind
  request: DraftRequest
  changesetId: string
  /** An earlier draft that this one builds on: what it does not mention stays as drafted there. */
  earlier: PendingChange | null
}

/** Throws `AppError`: 400 for what does not fit the kind, 404 for no target, 409 `stale_version`. */
export async function resolveDraft(tx: Queryable, kinds: Kinds, input: Input): Promise<Draft> {
  const draft = await resolve(tx, input)
  await checkReferences(tx, kinds, input, draft.payload)
  return draft
}

async function resolve(tx: Queryable, { kind, request, earlier }: Input): Promise<Draft> {
  const drafted = earlier?.payload ?? {}
  if (earlier?.action === 'create' && request.action !== 'delete') {
    const payload = validateCreate(kind, { ...drafted, ...withEdits(kind, drafted, request) })
    return { action: 'create', entity_id: earlier.entity_id, payload, base_version: null }
  }
  if (request.action === 'create') {
    if (request.edits) throw invalid('A create takes payload, not edits.')
    const payload = validateCreate(kind, request.payload ?? {})
    return { action: 'create', entity_id: uuid(), payload, base_version: null }
  }

  const row = await findTarget(tx, kind, request)
  const target = { entity_id: row.id, base_version: row.version }
  if (request.action === 'delete') return { ...target, action: 'delete', payload: {} }

  const moved = earlier?.action === 'update' && earlier.base_version !== row.version
  if (moved && request.supersedes) {
    const message = `The ${kind.label} ${row.id} has changed since that draft was made. Read it and draft anew.`
    throw conflict('stale_version', message, { current: row })
  }
  const kept = moved ? {} : drafted
  const wanted = { ...kept, ...withEdits(kind, { ...row, ...kept }, request) }
  const payload = changedFields(row, validateUpdate(kind, wanted))
  if (Object.keys(payload).length === 0) {
    throw invalid(`This would change nothing: the ${kind.label} already has these values.`)
  }
  return { ...target, action: 'update', payload }
}

async function findTarget(
  tx: Queryable,
  kind: Kind,
  { space_id, entity_id, version }: DraftRequest,
): Promise<EntityRow> {
  if (!entity_id) throw invalid(`entity_id is missing: which ${kind.label}?`)
  const row = await createEntitiesRepo(tx).find(kind, space_id, entity_id)
  if (!row) throw notFound(kind.label, entity_id)
  if (version !== undefined && version !== row.version) {
    throw conflict('stale_version', `The ${kind.label} ${row.id} is now at version ${row.version}.`, {
      current: row,
    })
  }
  return row
}

function withEdits(
  kind: Kind,
  fields: Record<string, unknown>,
  { payload = {}, edits }: DraftRequest,
): Record<string, unknown> {
  if (!edits || edits.length === 0) return payload
  if (kind.bodyField in payload) throw invalid(`Give either edits or ${kind.bodyField}, not both.`)
  const cleaned = edits.map(({ old_text, new_text }) => ({ old_text, new_text: cleanText(new_text) }))
  return { ...payload, [kind.bodyField]: applyEdits(textOf(fields[kind.bodyField]), cleaned) }
}

// A reference may name what an earlier draft of the same changeset would create.
async function checkReferences(
  tx: Queryable,
  kinds: Kinds,
  { kind, request: { space_id }, changesetId }: Input,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const [column, type] of Object.entries(kind.references)) {
    const target = payload[column]
    if (typeof target !== 'string') continue
    if (await createEntitiesRepo(tx).find(kinds.get(type), space_id, target)) continue
    const creator = await createPendingChangesRepo(tx).findCreator(space_id, changesetId, target)
    if (creator?.entity_type === type && creator.status === 'pending') continue
    throw invalid(`${column}: there is no ${kinds.get(type).label} ${target} in this Space.`)
  }
}
