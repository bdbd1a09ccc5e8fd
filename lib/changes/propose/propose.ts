// Storing a draft. Everything that can be checked without the owner is checked here, so that what reaches the Inbox
// can be applied. An agent has at most one draft waiting for one entity: a newer one takes the place of an older. What
// takes reading and comparing texts is done before the transaction, which checks that it is still of what is there.

import { v7 as uuid } from 'uuid'
import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import { type Derivation, type DroppedChange, makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange, PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import { type EntityRow, type Kind, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError, conflict, forbidden, notFound } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Database, Queryable, Tx } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMemoryPagesRepo } from '../../db/repos/memory_pages.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo, type NewPendingChange } from '../../db/repos/pending_changes.ts'
import { OutdatedPlan, retryOutdated, type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import { type LoadCards, withCard } from '../card/load-cards.ts'
import { droppedChanges } from '../compare-drafts.ts'
import type { DraftStates } from '../draft-states.ts'
import { gatherProvenance, inheritProvenance } from '../grounding/provenance.ts'
import { canonicalJson, sha256 } from '../payload.ts'
import type { Proposal } from './proposal.ts'
import { baseOf, listOlderDrafts, type ResolvedDraft, resolveDraft } from './resolve-draft.ts'

export type ProposeChange = (actor: AgentActor, proposal: Proposal) => Promise<PendingChangeWithCard>

type ProposeDeps = {
  database: Database
  kinds: Kinds
  loadCards: LoadCards
  threads: TextThreads
  states: DraftStates
  /** What the passages of a Space are analysed in. */
  languages: readonly string[]
  /** Default: none. */
  limits?: DraftLimits
}

const maxReasonLength = 1000

/**
 * Stores a draft and returns it; the same call of the same turn returns the draft that it stored the first time. What
 * the agent had waiting for the same entity becomes superseded; in a turn the new draft holds its changes as well, over
 * what the owner has saved since, and `drops` names what it cannot hold. What an agent proposes outside of a turn when the owner
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
    if (canAct(actor, proposal.action, kind.type) === 'deny' || !kind.proposable) throw refused()
    const change = await retryOutdated(async () => {
      const { answer, plan } = await planDraft(deps, { actor, kind, proposal })
      if (answer) return answer
      return await database.transaction(async (tx) => {
        // It may have been deleted, or lowered to reading, since the actor was made.
        const now = await createAgentsRepo(tx).lock(actor.agent_id)
        if (!now?.suggest) throw refused()
        return await storeDraft(deps, tx, plan)
      })
    })
    return await withCard(database, loadCards, change)
  }
}

type Request = { actor: AgentActor; kind: Kind; proposal: Proposal }

type DraftPlan = Pick<Request, 'actor' | 'kind'> & {
  draft: NewPendingChange
  /** What the agent has waiting for the same entity, which the draft replaces. */
  older: readonly PendingChange[]
} & Pick<Proposal, 'admit' | 'memory'>

/** What is to be stored, as things are now; `answer`: a draft that is stored already. */
async function planDraft(
  deps: ProposeDeps,
  request: Request,
): Promise<{ answer: PendingChange; plan?: never } | { answer?: never; plan: DraftPlan }> {
  const { database, kinds, threads, limits } = deps
  const { actor, kind, proposal } = request
  const { space_id, turn, tool_use_id, reason } = proposal
  const changes = createPendingChangesRepo(database)
  const stored = await changes.findByCall(turn?.id ?? null, tool_use_id)
  if (stored) return { answer: stored }

  const older = await listOlderDrafts(database, actor, proposal)
  const revised = older.find(({ id }) => id === proposal.supersedes)
  const changeset_id = revised?.changeset_id ?? turn?.id ?? proposal.changeset_id ?? uuid()
  const made = older.findLast((one) => one.changeset_id === changeset_id && makesNew(one.action))
  const earlier = revised ?? made ?? null
  const extended = !earlier && turn && proposal.action === 'update' ? older.findLast(isUpdate) : null
  const waiting = extended ? await changes.findUnmerged(extended) : null
  const { draft: resolved, row } = await resolveDraft(database, kinds, {
    kind,
    proposal: revised ? { ...proposal, entity_id: revised.entity_id } : proposal,
    changesetId: changeset_id,
    earlier,
    waiting,
    threads,
    readable: canAct(actor, 'read', kind.type) === 'allow',
  })
  const payload = canonicalJson(resolved.payload)
  const supersedes = (earlier ?? extended ?? older.at(-1))?.id ?? null
  const draft = {
    ...resolved,
    id: uuid(),
    space_id,
    agent_id: actor.agent_id,
    conversation_id: turn?.conversation_id ?? null,
    turn_id: turn?.id ?? null,
    tool_use_id,
    changeset_id,
    entity_type: kind.type,
    payload,
    payload_sha256: sha256(payload),
    reason: cleanText(reason).slice(0, maxReasonLength),
    derivation: derivationOf({ supersedes, extends: extended, changeset_id }),
    supersedes,
  }
  // In a turn it is the owner who asks, and may have come to think otherwise.
  const rejected = turn || proposal.repeats ? null : await changes.findRejected(draft)
  if (rejected) return { answer: rejected }
  // A draft that is refused is not compared with anything.
  if (limits) await checkDraftLimits(database, limits, draft, older)
  const drops = await findDrops(deps, { proposal, kind, older, newer: resolved, row })
  const provenance = await provenanceOf(deps, request, { ...resolved, row }, earlier ?? waiting)
  const { admit, memory } = proposal
  return { plan: { actor, kind, older, admit, memory, draft: { ...draft, drops, provenance } } }
}

/** Throws `OutdatedPlan` when the target has changed since, or others wait than the drafts that would be replaced. */
async function storeDraft(
  { states, limits }: ProposeDeps,
  tx: Tx,
  { actor, kind, draft, older, admit, memory }: DraftPlan,
): Promise<PendingChange> {
  const changes = createPendingChangesRepo(tx)
  const stored = await changes.findByCall(draft.turn_id, draft.tool_use_id)
  if (stored) return stored
  const waiting = await changes.listWaiting(draft, { lock: true })
  if (waiting.map(({ id }) => id).join() !== older.map(({ id }) => id).join()) throw new OutdatedPlan()
  const row = makesNew(draft.action)
    ? null
    : await createEntitiesRepo(tx).find(kind, draft.space_id, draft.entity_id)
  if ((row?.version ?? null) !== draft.base_version) throw new OutdatedPlan()
  if (limits) await checkDraftLimits(tx, limits, draft, older)
  if (!memory && (await createMemoryPagesRepo(tx).isMemory(draft.space_id, draft.entity_id)))
    throw forbidden('This page is the owner’s memory: it takes lines that quote them, of the kind memory.')
  await admit?.(tx, { ...draft, payload: JSON.parse(draft.payload), kind, row })

  const change = await states.propose(tx, draft)
  for (const one of older) await states.supersede(tx, one, { actor, superseded_by: change.id })
  return change
}

type Basis = { supersedes: string | null; extends: PendingChange | null | undefined; changeset_id: string }

function derivationOf({ supersedes, extends: extended, changeset_id }: Basis): Derivation {
  if (!supersedes) return 'proposed'
  return extended && extended.changeset_id !== changeset_id ? 'extended' : 'revised'
}

const isUpdate = ({ action }: PendingChange): boolean => action === 'update'

const dropTask = textTask(new URL('../compare-drafts.ts', import.meta.url), droppedChanges)

type Replacing = {
  proposal: Proposal
  kind: Kind
  older: readonly PendingChange[]
  newer: ResolvedDraft
  row: EntityRow | null
}

/**
 * What the drafts that it replaces would change, and it would not; of texts too complex to compare, that they differ. One
 * that the proposal names was reviewed by the agent, except the sides of conflicts, which are not in its payload.
 */
async function findDrops(
  { database, threads }: ProposeDeps,
  { proposal, kind, older, newer, row }: Replacing,
): Promise<PendingChange['drops']> {
  const { action, payload } = newer
  const { bodyField } = kind
  const drops: PendingChange['drops'] = []
  for (const one of older) {
    const isNamed = one.id === proposal.supersedes
    const whole = await createPendingChangesRepo(database).findUnmerged(one)
    const fields = isNamed ? unansweredConflicts(one, proposal, bodyField) : Object.keys(whole.payload)
    if (isNamed && fields.length === 0) continue
    const changed = Object.fromEntries(fields.map((field) => [field, whole.payload[field]]))
    const question = {
      older: { action: whole.action, payload: changed },
      newer: { action, payload },
      row,
      base: row && (await baseOf(database, kind, row, whole)),
      bodyField,
    }
    drops.push(...((await threads.run(dropTask, question)) ?? [{ field: bodyField, text: '' }]))
  }
  return [...older.flatMap((one) => one.drops.filter(isStillDropped)), ...drops]

  function isStillDropped({ field, text }: DroppedChange): boolean {
    const now = textOf(payload[field] ?? row?.[field])
    return action !== 'delete' && !now.includes(text) && !drops.some((one) => one.text === text)
  }
}

/** The fields with conflicts of a draft that its revision does not mention. */
function unansweredConflicts(
  { conflicts }: PendingChange,
  { payload = {}, edits = [] }: Proposal,
  bodyField: string,
): string[] {
  const fields = new Set(conflicts.map(({ field }) => field))
  return [...fields].filter((field) => !(field in payload || (field === bodyField && edits.length > 0)))
}

async function provenanceOf(
  { database, kinds, threads, languages }: ProposeDeps,
  { kind, proposal: { space_id: target, read_in: space_id = target, given } }: Request,
  { action, entity_id, payload, row }: ResolvedDraft & { row: EntityRow | null },
  earlier: PendingChange | null,
): Promise<PendingChange['provenance']> {
  const gathered = await gatherProvenance(
    database,
    { kinds, threads },
    { kind, action, space_id, entity_id, row, payload, given: given ?? null, languages },
  )
  return earlier ? inheritProvenance(gathered, earlier.provenance) : gathered
}

/** What one agent may have waiting and send. */
export type DraftLimits = {
  /** Drafts that wait for the owner. */
  waiting: number
  /** Bytes of the payloads of those, together. */
  waitingBytes: number
  /** Drafts made within an hour, whatever became of them. */
  perHour: number
  /** Bytes of one draft's payload in UTF-8. */
  bytes: number
}

/** So that one message of a model cannot spend the allowance of an hour. */
const maxDraftsPerTurn = 50

/**
 * Throws an `AppError` for a draft that is too much: 413 `draft_too_large`, 409 `too_many_drafts`, 429
 * `too_many_requests` with `details.retry_after_seconds`. `older` are those that wait and that it replaces. Counts exactly where the
 * caller holds the agent's lock.
 */
async function checkDraftLimits(
  tx: Queryable,
  limits: DraftLimits,
  draft: { agent_id: string; turn_id: string | null; payload: string },
  older: readonly { id: string }[],
): Promise<void> {
  const bytes = Buffer.byteLength(draft.payload)
  if (bytes > limits.bytes) {
    const message = `This draft has ${bytes} bytes; one may have ${limits.bytes}. Draft it in parts.`
    throw new AppError('draft_too_large', 413, message, { details: { bytes, limit: limits.bytes } })
  }

  const count = await createPendingChangeListsRepo(tx).countOfAgent({
    agent_id: draft.agent_id,
    turn_id: draft.turn_id,
    replaces: older.map(({ id }) => id),
  })
  if (count.lastHour >= limits.perHour) {
    const message = `This agent has made ${count.lastHour} drafts within the hour, which is the limit.`
    const details = { limit: limits.perHour, retry_after_seconds: count.nextInSeconds }
    throw new AppError('too_many_requests', 429, message, { details })
  }
  if (count.ofTurn >= maxDraftsPerTurn) {
    const message = `This turn has made ${count.ofTurn} drafts, which is the limit of one turn.`
    throw conflict('too_many_drafts', message, { limit: maxDraftsPerTurn })
  }
  if (count.waitingBytes + bytes > limits.waitingBytes) {
    const message =
      `The pending drafts of this agent have ${count.waitingBytes} bytes; together they may have ` +
      `${limits.waitingBytes}. Retract some, or wait for decisions.`
    throw conflict('too_many_drafts', message, { limit_bytes: limits.waitingBytes })
  }
  if (count.waiting >= limits.waiting) {
    const message =
      `${count.waiting} drafts of this agent are pending, which is the limit. ` +
      'Retract some, or wait for decisions.'
    throw conflict('too_many_drafts', message, { limit: limits.waiting })
  }
}
