// The states of a draft, and the one place where it goes from one to another, so that no path can forget to notify of it.
// A stored draft keeps its payload: whatever else becomes of it is a new row, its successor.
//
//   (none)   → pending     an agent proposes it (propose/propose.ts), or it succeeds another draft
//   pending  → approved    the owner approves it; the rest of one approved in part is a pending successor (approve.ts)
//            → rejected    the owner rejects it; what is kept of one rejected in part is a pending successor (decide.ts)
//            → superseded  the owner approves other values, which are an approved successor (approve.ts), or merges it with
//                          what has changed since (review-again.ts); or its agent proposes anew (propose/propose.ts)
//            → retracted   its agent withdraws it (propose/own-drafts.ts)
//            → obsolete    its target is gone, or contains all of it already (approve.ts, review-again.ts)
//   obsolete → obsolete    a page is drafted from its text, as its successor (review-again.ts)
//
// The database refuses to leave any state but `pending`. `expired` is a state of the API that nothing leads to.

import { v7 as uuid } from 'uuid'
import type { Conflict, Decision, Derivation } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Provenance } from '../contract/changes/provenance.ts'
import { type Actor, actorName } from '../core/actor.ts'
import type { Tx } from '../db/pool.ts'
import { createPendingChangesRepo, type NewPendingChange, type Outcome } from '../db/repos/pending_changes.ts'
import { canonicalJson, sha256 } from './payload.ts'
import type { Terms } from './plan-approval.ts'

type Successor = {
  derivation: Derivation
  payload: Record<string, unknown>
  provenance: Provenance
  base_version: number | null
  /** Default: unchanged. */
  action?: PendingChange['action']
  entity_type?: string
  entity_id?: string
  conflicts?: Conflict[]
}

type Approval = { actor: Actor; terms: Terms; result_version: number; superseded_by: string | null }

type Rejection = { actor: Actor; reason: string | null; terms?: Terms; superseded_by?: string }

type Replacement = { actor: Actor; superseded_by: string; decision?: Decision }

/** Each returns the draft as it is afterwards. Whoever takes a draft out of `pending` holds its lock. */
export type DraftStates = {
  /** Stores a draft, or returns the one that the same call of the same turn stored before. */
  propose(tx: Tx, draft: NewPendingChange): Promise<PendingChange>
  /** Stores the pending successor of a draft, which is still to be closed. */
  succeed(tx: Tx, before: PendingChange, successor: Successor): Promise<PendingChange>
  approve(tx: Tx, draft: PendingChange, approval: Approval): Promise<PendingChange>
  reject(tx: Tx, draft: PendingChange, rejection: Rejection): Promise<PendingChange>
  supersede(tx: Tx, draft: PendingChange, replacement: Replacement): Promise<PendingChange>
  retract(tx: Tx, draft: PendingChange, actor: Actor): Promise<PendingChange>
  markObsolete(tx: Tx, draft: PendingChange): Promise<PendingChange>
  /** Names the successor of an obsolete draft. */
  nameSuccessor(tx: Tx, draft: PendingChange, successor: PendingChange): Promise<PendingChange>
}

/** Called in the transaction after each step, with the draft as it is now. Must not throw. */
type OnChange = (tx: Tx, draft: PendingChange) => void

export function createDraftStates(onChange: OnChange): DraftStates {
  return {
    async propose(tx, draft) {
      return notify(tx, await createPendingChangesRepo(tx).insertOnce(draft))
    },

    async succeed(tx, before, { derivation, payload, provenance, base_version, conflicts = [], ...target }) {
      const text = canonicalJson(payload)
      const successor = await createPendingChangesRepo(tx).insertSuccessor(before.id, {
        id: uuid(),
        entity_type: target.entity_type ?? before.entity_type,
        entity_id: target.entity_id ?? before.entity_id,
        action: target.action ?? before.action,
        provenance,
        payload: text,
        payload_sha256: sha256(text),
        base_version,
        derivation,
        conflicts,
      })
      return notify(tx, successor)
    },

    async approve(tx, draft, { actor, terms, result_version, superseded_by }) {
      const decision = { decision: 'approve', reason: null, ...terms } as const
      return await close(tx, draft, 'approved', { ...by(actor), decision, result_version, superseded_by })
    },

    async reject(tx, draft, { actor, reason, terms = {}, superseded_by = null }) {
      const decision = { decision: 'reject', reason, ...terms } as const
      return await close(tx, draft, 'rejected', { ...by(actor), decision, superseded_by })
    },

    async supersede(tx, draft, { actor, superseded_by, decision = null }) {
      return await close(tx, draft, 'superseded', { ...by(actor), decision, superseded_by })
    },

    retract: (tx, draft, actor) => close(tx, draft, 'retracted', by(actor)),

    markObsolete: (tx, draft) => close(tx, draft, 'obsolete', { decided_by: null }),

    async nameSuccessor(tx, draft, successor) {
      return notify(tx, await createPendingChangesRepo(tx).nameSuccessor(draft.id, successor.id))
    },
  }

  async function close(
    tx: Tx,
    { id }: PendingChange,
    status: Outcome['status'],
    outcome: Partial<Outcome> & Pick<Outcome, 'decided_by'>,
  ): Promise<PendingChange> {
    const nothing = { decision: null, result_version: null, superseded_by: null }
    return notify(tx, await createPendingChangesRepo(tx).close(id, { ...nothing, ...outcome, status }))
  }

  function notify(tx: Tx, draft: PendingChange): PendingChange {
    onChange(tx, draft)
    return draft
  }
}

const by = (actor: Actor) => ({ decided_by: actorName(actor) })
