// Storing a draft. Everything that can be checked without the owner is checked here, so that what reaches the Inbox
// can be applied: the fields fit the kind, the target exists, the edits resolve to an exact text.

import { v7 as uuid } from 'uuid'
import type { AgentActor } from '../auth/actor.ts'
import { canAct, mayEnterSpace } from '../auth/capability.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Database } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict, forbidden, invalid, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import { applyEdits, type Edit } from './apply-edits.ts'
import { canonicalJson, sha256 } from './payload.ts'
import { changedFields, validateCreate, validateUpdate } from './validate-fields.ts'

export type Proposal = {
  space_id: string
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  /** The version the agent saw; left out: the current one. */
  version?: number
  payload?: Record<string, unknown>
  edits?: readonly Edit[]
  reason: string
  turn: { id: string; conversation_id: string } | null
  tool_use_id: string | null
}

type Draft = { entity_id: string; payload: Record<string, unknown>; base_version: number | null }

export type ProposeChange = (actor: AgentActor, proposal: Proposal) => Promise<PendingChange>

/**
 * Stores a draft and returns it; the same call of the same turn returns the draft that it stored the first time.
 * Throws `AppError`: 403 for an agent that may not suggest, 404 for what the agent cannot see, 400 for what does not
 * fit the kind (the message says what to mend), 409 for a version that is no longer the current one.
 */
export function createProposeChange({
  database,
  kinds,
}: {
  database: Database
  kinds: Kinds
}): ProposeChange {
  return async (actor, proposal) => {
    const kind = kinds.get(proposal.entity_type)
    if (!mayEnterSpace(actor, proposal.space_id)) throw notFound('Space', proposal.space_id)
    if (canAct(actor, proposal.action, kind.type) === 'deny' || !kind.proposable) {
      throw forbidden(`The agent ${actor.slug} may not suggest changes to a ${kind.label}.`)
    }

    const changes = createPendingChangesRepo(database)
    const earlier = await changes.findByCall(proposal.turn?.id ?? null, proposal.tool_use_id)
    if (earlier) return earlier

    const changesetId = proposal.turn?.id ?? uuid()
    const draft = await resolveDraft(kind, proposal, changesetId)
    const payload = canonicalJson(draft.payload)
    return await changes.insertOnce({
      id: uuid(),
      space_id: proposal.space_id,
      agent_id: actor.agent_id,
      conversation_id: proposal.turn?.conversation_id ?? null,
      turn_id: proposal.turn?.id ?? null,
      tool_use_id: proposal.tool_use_id,
      changeset_id: changesetId,
      entity_type: kind.type,
      entity_id: draft.entity_id,
      action: proposal.action,
      payload,
      payload_sha256: sha256(payload),
      base_version: draft.base_version,
      reason: cleanText(proposal.reason).slice(0, 1000),
    })
  }

  async function resolveDraft(kind: Kind, proposal: Proposal, changesetId: string): Promise<Draft> {
    if (proposal.action === 'create') {
      if (proposal.edits) throw invalid('A create takes payload, not edits.')
      const payload = validateCreate(kind, proposal.payload ?? {})
      await checkReferences(kind, proposal.space_id, changesetId, payload)
      return { entity_id: uuid(), payload, base_version: null }
    }

    const row = await findTarget(kind, proposal)
    if (proposal.action === 'delete') return { entity_id: row.id, payload: {}, base_version: row.version }

    const payload = changedFields(row, validateUpdate(kind, withEdits(kind, row, proposal)))
    if (Object.keys(payload).length === 0) {
      throw invalid(`This would change nothing: the ${kind.label} already has these values.`)
    }
    await checkReferences(kind, proposal.space_id, changesetId, payload)
    return { entity_id: row.id, payload, base_version: row.version }
  }

  async function findTarget(kind: Kind, { space_id, entity_id, version }: Proposal): Promise<EntityRow> {
    if (!entity_id) throw invalid(`entity_id is missing: which ${kind.label}?`)
    const row = await createEntitiesRepo(database).find(kind, space_id, entity_id)
    if (!row) throw notFound(kind.label, entity_id)
    if (version !== undefined && version !== row.version) {
      throw conflict('stale_version', `The ${kind.label} ${row.id} is now at version ${row.version}.`, {
        current: row,
      })
    }
    return row
  }

  // A reference may name what an earlier draft of the same changeset would create.
  async function checkReferences(
    kind: Kind,
    spaceId: string,
    changesetId: string,
    payload: Record<string, unknown>,
  ): Promise<void> {
    for (const [column, type] of Object.entries(kind.references)) {
      const target = payload[column]
      if (typeof target !== 'string') continue
      const exists = await createEntitiesRepo(database).find(kinds.get(type), spaceId, target)
      if (exists) continue
      const creator = await createPendingChangesRepo(database).findCreator(spaceId, changesetId, target)
      if (creator?.entity_type === type) continue
      throw invalid(`${column}: there is no ${kinds.get(type).label} ${target} in this Space.`)
    }
  }
}

function withEdits(kind: Kind, row: EntityRow, { payload = {}, edits }: Proposal): Record<string, unknown> {
  if (!edits || edits.length === 0) return payload
  if (kind.bodyField in payload) throw invalid(`Give either edits or ${kind.bodyField}, not both.`)
  const cleaned = edits.map(({ old_text, new_text }) => ({ old_text, new_text: cleanText(new_text) }))
  return { ...payload, [kind.bodyField]: applyEdits(textOf(row[kind.bodyField]), cleaned) }
}
