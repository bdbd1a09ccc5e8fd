// Where drafts are stored and closed. Whoever wants to hear of it is told here, so that no path can forget to.

import { v7 as uuid } from 'uuid'
import type { PendingChange } from '../contract/card.ts'
import type { Conflict, Derivation } from '../contract/decision.ts'
import type { Queryable } from '../db/pool.ts'
import { createPendingChangesRepo, type NewPendingChange, type Outcome } from '../db/repos/pending_changes.ts'
import { canonicalJson, sha256 } from './payload.ts'

export type Successor = {
  derivation: Derivation
  payload: Record<string, unknown>
  base_version: number | null
  /** Left out: as before. */
  action?: PendingChange['action']
  entity_type?: string
  entity_id?: string
  conflicts?: Conflict[]
}

export type Ledger = {
  /** Stores a draft, or returns the one that the same call of the same turn stored before. */
  insert(tx: Queryable, change: NewPendingChange): Promise<PendingChange>
  /** Stores what goes on from a draft. The draft itself is still to be closed. */
  succeed(tx: Queryable, before: PendingChange, successor: Successor): Promise<PendingChange>
  /** Closes a draft that waits. The caller holds its lock. */
  close(
    tx: Queryable,
    change: PendingChange,
    outcome: Pick<Outcome, 'status' | 'decided_by'> & Partial<Outcome>,
  ): Promise<PendingChange>
  /** Names the successor of a draft that is closed already. */
  nameSuccessor(tx: Queryable, change: PendingChange, successor: PendingChange): Promise<PendingChange>
}

export type LedgerDeps = {
  /** Told in the transaction, after each step, how the draft now stands. Must not throw. */
  onChange: (tx: Queryable, change: PendingChange) => void
}

export function createLedger({ onChange }: LedgerDeps): Ledger {
  const told = (tx: Queryable, change: PendingChange) => {
    onChange(tx, change)
    return change
  }

  return {
    async insert(tx, change) {
      return told(tx, await createPendingChangesRepo(tx).insertOnce(change))
    },

    async succeed(tx, before, { derivation, payload, base_version, conflicts = [], ...target }) {
      const text = canonicalJson(payload)
      const successor = await createPendingChangesRepo(tx).insertSuccessor(before.id, {
        id: uuid(),
        entity_type: target.entity_type ?? before.entity_type,
        entity_id: target.entity_id ?? before.entity_id,
        action: target.action ?? before.action,
        payload: text,
        payload_sha256: sha256(text),
        base_version,
        derivation,
        conflicts,
      })
      return told(tx, successor)
    },

    async close(tx, change, outcome) {
      const nothing = { decision: null, result_version: null, superseded_by: null }
      return told(tx, await createPendingChangesRepo(tx).close(change.id, { ...nothing, ...outcome }))
    },

    async nameSuccessor(tx, change, successor) {
      return told(tx, await createPendingChangesRepo(tx).nameSuccessor(change.id, successor.id))
    },
  }
}
