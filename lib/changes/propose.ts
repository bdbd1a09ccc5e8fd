// Storing a draft. Everything that can be checked without the owner is checked here, so that what reaches the Inbox
// can be applied. An agent has at most one draft waiting for one entity: a newer one takes the place of an older.

import { v7 as uuid } from 'uuid'
import { type AgentActor, actorName } from '../auth/actor.ts'
import { canAct, mayEnterSpace } from '../auth/capability.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { Kind } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict, forbidden, invalid, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import { checkDraftLimits, type DraftLimits } from './draft-limits.ts'
import type { GivenText } from './given-texts.ts'
import { inheritProvenance } from './inherit-provenance.ts'
import type { Ledger } from './ledger.ts'
import { canonicalJson, sha256 } from './payload.ts'
import { gatherProvenance } from './provenance.ts'
import { type DraftRequest, resolveDraft } from './resolve-draft.ts'

export type Proposal = DraftRequest & {
  entity_type: string
  reason: string
  turn: { id: string; conversation_id: string } | null
  /** What the agent had been given to read; left out: nobody knows. */
  given?: readonly GivenText[] | undefined
  tool_use_id: string | null
}

export type ProposeChange = (actor: AgentActor, proposal: Proposal) => Promise<PendingChange>

export type ProposeDeps = {
  database: Database
  kinds: Kinds
  ledger: Ledger
  /** What the passages of a Space are analysed in; left out: English. */
  languages?: readonly string[] | undefined
  /** Left out: none. */
  limits?: DraftLimits | undefined
}

/**
 * Stores a draft and returns it; the same call of the same turn returns the draft that it stored the first time. What
 * the agent had waiting for the same entity becomes superseded. Throws `AppError`: 403 for an agent that may not
 * suggest, 404 for what the agent cannot see, 400 for what does not fit the kind (the message says what to mend), 409
 * for a version that is no longer the current one or a draft that is decided, and as `checkDraftLimits`.
 */
export function createProposeChange(deps: ProposeDeps): ProposeChange {
  const { database, kinds, ledger, limits, languages = ['english'] } = deps
  return async (actor, proposal) => {
    const kind = kinds.get(proposal.entity_type)
    if (!mayEnterSpace(actor, proposal.space_id)) throw notFound('Space', proposal.space_id)
    if (canAct(actor, proposal.action, kind.type) === 'deny' || !kind.proposable) {
      throw forbidden(`The agent ${actor.slug} may not suggest changes to a ${kind.label}.`)
    }
    return await database.transaction(async (tx) => {
      await createAgentsRepo(tx).lock(actor.agent_id)
      const { turn, tool_use_id } = proposal
      const stored = await createPendingChangesRepo(tx).findByCall(turn?.id ?? null, tool_use_id)
      return stored ?? (await store(tx, actor, kind, proposal))
    })
  }

  async function store(
    tx: Queryable,
    actor: AgentActor,
    kind: Kind,
    proposal: Proposal,
  ): Promise<PendingChange> {
    const older = await lockOlder(tx, actor, kind, proposal)
    const named = older.find(({ id }) => id === proposal.supersedes)
    const changesetId = named?.changeset_id ?? proposal.turn?.id ?? uuid()
    const earlier = named ?? older.findLast(({ changeset_id }) => changeset_id === changesetId) ?? null
    const request = { ...proposal, ...(named ? { entity_id: named.entity_id } : {}) }
    const draft = await resolveDraft(tx, kinds, { kind, request, changesetId, earlier })
    const payload = canonicalJson(draft.payload)
    if (limits) {
      await checkDraftLimits(tx, limits, { agent_id: actor.agent_id, payload, replaces: older.length })
    }

    const gathered = await gatherProvenance(tx, kinds, {
      kind,
      space_id: proposal.space_id,
      entity_id: draft.entity_id,
      row:
        draft.action === 'create'
          ? null
          : await createEntitiesRepo(tx).find(kind, proposal.space_id, draft.entity_id),
      payload: draft.payload,
      given: proposal.given ?? null,
      languages,
    })
    const provenance = earlier ? inheritProvenance(gathered, earlier.provenance) : gathered

    const supersedes = (earlier ?? older.at(-1))?.id ?? null
    const change = await ledger.insert(tx, {
      ...draft,
      id: uuid(),
      space_id: proposal.space_id,
      agent_id: actor.agent_id,
      conversation_id: proposal.turn?.conversation_id ?? null,
      turn_id: proposal.turn?.id ?? null,
      tool_use_id: proposal.tool_use_id,
      changeset_id: changesetId,
      entity_type: kind.type,
      payload,
      payload_sha256: sha256(payload),
      reason: cleanText(proposal.reason).slice(0, 1000),
      derivation: supersedes ? 'revised' : 'proposed',
      supersedes,
      provenance,
    })
    for (const one of older) {
      const decided_by = actorName(actor)
      await ledger.close(tx, one, { status: 'superseded', decided_by, superseded_by: change.id })
    }
    return change
  }
}

/** What the agent has waiting for the entity, oldest first; of these the draft that the proposal names, if it does. */
async function lockOlder(
  tx: Queryable,
  actor: AgentActor,
  kind: Kind,
  { space_id, entity_id, action, supersedes }: Proposal,
): Promise<PendingChange[]> {
  const { agent_id } = actor
  const changes = createPendingChangesRepo(tx)
  if (supersedes === undefined) {
    if (action === 'create' || !entity_id) return []
    return await changes.lockWaiting({ space_id, agent_id, entity_type: kind.type, entity_id })
  }

  const named = await changes.find(supersedes, { space_ids: [space_id], agent_id })
  if (!named) throw notFound('draft of yours', supersedes)
  if (named.entity_type !== kind.type || (entity_id && entity_id !== named.entity_id)) {
    throw invalid(
      `The draft ${supersedes} is of the ${named.entity_type} ${named.entity_id}: revise that one.`,
    )
  }
  if ((named.action === 'create') !== (action === 'create')) {
    throw invalid(`The draft ${supersedes} is a ${named.action}: revise it as such, or retract it.`)
  }
  const waiting = await changes.lockWaiting(named)
  if (!waiting.some(({ id }) => id === supersedes)) {
    const current = (await changes.find(supersedes, { space_ids: [space_id], agent_id })) ?? named
    throw conflict('already_decided', `The draft ${supersedes} is already ${current.status}.`, { current })
  }
  return waiting
}
