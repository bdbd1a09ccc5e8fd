// Storing a draft. Everything that can be checked without the owner is checked here, so that what reaches the Inbox
// can be applied. An agent has at most one draft waiting for one entity: a newer one takes the place of an older.

import { v7 as uuid } from 'uuid'
import { type AgentActor, actorName } from '../../actor.ts'
import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import { makesNew } from '../../contract/changes/change-status.ts'
import type { PendingChange, PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { Kind } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { forbidden, notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import type { Compute } from '../../workers/compute.ts'
import { textTask } from '../../workers/text-threads.ts'
import type { LoadCards } from '../card/load-cards.ts'
import { withCard } from '../card/with-cards.ts'
import { gatherProvenance } from '../grounding/gather-provenance.ts'
import { inheritProvenance } from '../grounding/inherit-provenance.ts'
import type { Ledger } from '../ledger.ts'
import { canonicalJson, sha256 } from '../payload.ts'
import { checkDraftLimits, type DraftLimits } from './draft-limits.ts'
import { droppedChanges } from './dropped-changes.ts'
import { lockOlderDrafts } from './older-drafts.ts'
import type { Proposal } from './proposal.ts'
import { type ResolvedDraft, resolveDraft } from './resolve-draft.ts'

export type ProposeChange = (actor: AgentActor, proposal: Proposal) => Promise<PendingChangeWithCard>

export type ProposeDeps = {
  database: Database
  kinds: Kinds
  loadCards: LoadCards
  compute: Compute
  ledger: Ledger
  /** What the passages of a Space are analysed in; left out: English. */
  languages?: readonly string[] | undefined
  /** Left out: none. */
  limits?: DraftLimits | undefined
}

const maxReasonLength = 1000

/**
 * Stores a draft and returns it; the same call of the same turn returns the draft that it stored the first time. What
 * the agent had waiting for the same entity becomes superseded; in a turn the new draft holds its changes as well. What an agent proposes outside of a turn when the owner
 * has rejected just that before is not stored again: it gets the rejected draft. Throws `AppError`: 403 for an agent that may not
 * suggest, 404 for what the agent cannot see, 400 for what does not fit the kind (the message says what to mend), 409
 * for a version that is no longer the current one or a draft that is decided, and as `checkDraftLimits`.
 */
export function createProposeChange(deps: ProposeDeps): ProposeChange {
  const { database, kinds, loadCards } = deps
  return async (actor, proposal) => {
    const kind = kinds.get(proposal.entity_type)
    if (!mayEnterSpace(actor, proposal.space_id)) throw notFound('Space', proposal.space_id)
    const refused = () => forbidden(`The agent ${actor.slug} may not suggest changes to a ${kind.label}.`)
    if (canAct(actor, proposal.action, kind.type) === 'deny' || !isProposable(kind, proposal)) throw refused()
    const change = await database.transaction(async (tx) => {
      // It may have been deleted, or lowered to reading, since the actor was made.
      const now = await createAgentsRepo(tx).lock(actor.agent_id)
      if (!now?.suggest) throw refused()
      const { turn, tool_use_id } = proposal
      const stored = await createPendingChangesRepo(tx).findByCall(turn?.id ?? null, tool_use_id)
      return stored ?? (await storeDraft(deps, tx, { actor, kind, proposal }))
    })
    return await withCard(database, loadCards, change)
  }
}

const isProposable = ({ proposable }: Kind, { action }: Proposal): boolean =>
  proposable === 'yes' || (proposable === 'update' && action === 'update')

type Request = { actor: AgentActor; kind: Kind; proposal: Proposal }

async function storeDraft(deps: ProposeDeps, tx: Queryable, request: Request): Promise<PendingChange> {
  const { kinds, ledger, limits } = deps
  const { actor, kind, proposal } = request
  const { space_id, turn, tool_use_id, reason } = proposal
  const older = await lockOlderDrafts(tx, actor, proposal)
  const revised = older.find(({ id }) => id === proposal.supersedes)
  const changeset_id = revised?.changeset_id ?? turn?.id ?? uuid()
  const earlier = revised ?? older.findLast((one) => one.changeset_id === changeset_id) ?? null
  const waiting = !earlier && turn && proposal.action === 'update' ? (older.findLast(isUpdate) ?? null) : null
  const draft = await resolveDraft(tx, kinds, {
    kind,
    proposal: revised ? { ...proposal, entity_id: revised.entity_id } : proposal,
    changesetId: changeset_id,
    earlier,
    waiting,
    compute: deps.compute,
    readable: canAct(actor, 'read', kind.type) === 'allow',
  })
  const payload = canonicalJson(draft.payload)
  const identity = {
    space_id,
    agent_id: actor.agent_id,
    entity_type: kind.type,
    payload_sha256: sha256(payload),
  }
  // In a turn it is the owner who asks, and may have come to think otherwise.
  const rejected = turn ? null : await createPendingChangesRepo(tx).findRejected({ ...draft, ...identity })
  if (rejected) return rejected
  if (limits) {
    await checkDraftLimits(tx, limits, {
      agent_id: actor.agent_id,
      turn_id: turn?.id ?? null,
      payload,
      replaces: older.map(({ id }) => id),
    })
  }

  const supersedes = (earlier ?? older.at(-1))?.id ?? null
  const change = await ledger.insert(tx, {
    ...draft,
    ...identity,
    id: uuid(),
    conversation_id: turn?.conversation_id ?? null,
    turn_id: turn?.id ?? null,
    tool_use_id,
    changeset_id,
    payload,
    reason: cleanText(reason).slice(0, maxReasonLength),
    derivation: waiting ? 'extended' : supersedes ? 'revised' : 'proposed',
    drops: earlier ? [] : await findDrops(deps, tx, older, draft),
    supersedes,
    provenance: await provenanceOf(deps, tx, request, draft, earlier ?? waiting),
  })
  const closing = { status: 'superseded', decided_by: actorName(actor), superseded_by: change.id } as const
  for (const one of older) await ledger.close(tx, one, closing)
  return change
}

const isUpdate = ({ action }: PendingChange): boolean => action === 'update'

const dropTask = textTask(new URL('./dropped-changes.ts', import.meta.url), droppedChanges)

/** What the drafts that it replaces would change, and it would not; of texts too complex to compare, that they differ. */
async function findDrops(
  { kinds, compute }: ProposeDeps,
  tx: Queryable,
  older: readonly PendingChange[],
  { action, entity_id, payload }: ResolvedDraft,
): Promise<PendingChange['drops']> {
  const [first] = older
  if (!first) return []
  const kind = kinds.get(first.entity_type)
  const row = await createEntitiesRepo(tx).find(kind, first.space_id, entity_id)
  const drops: PendingChange['drops'] = []
  for (const one of older) {
    const question = {
      older: { action: one.action, payload: one.payload },
      newer: { action, payload },
      row,
      bodyField: kind.bodyField,
    }
    drops.push(...((await compute(tx, dropTask, question)) ?? [{ field: kind.bodyField, text: '' }]))
  }
  return drops
}

async function provenanceOf(
  { kinds, compute, languages = ['english'] }: ProposeDeps,
  tx: Queryable,
  { kind, proposal: { space_id, given } }: Request,
  { action, entity_id, payload }: ResolvedDraft,
  earlier: PendingChange | null,
): Promise<PendingChange['provenance']> {
  const row = makesNew(action) ? null : await createEntitiesRepo(tx).find(kind, space_id, entity_id)
  const gathered = await gatherProvenance(
    tx,
    { kinds, compute },
    {
      kind,
      action,
      space_id,
      entity_id,
      row,
      payload,
      given: given ?? null,
      languages,
    },
  )
  return earlier ? inheritProvenance(gathered, earlier.provenance) : gathered
}
