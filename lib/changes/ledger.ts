// The one place where drafts are stored and closed, so that no path can forget to notify of it.

import { v7 as uuid } from 'uuid'
import type { Conflict, Derivation } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Provenance } from '../contract/changes/provenance.ts'
import type { Tx } from '../db/pool.ts'
import { createPendingChangesRepo, type NewPendingChange, type Outcome } from '../db/repos/pending_changes.ts'
import { canonicalJson, sha256 } from './payload.ts'

type Successor = {
  derivation: Derivation
  payload: Record<string, unknown>
  provenance: Provenance
  base_version: number | null
  /** Left out: as before. */
  action?: PendingChange['action']
  entity_type?: string
  entity_id?: string
  conflicts?: Conflict[]
}

export type Ledger = {
  /** Stores a draft, or returns the one that the same call of the same turn stored before. */
  insert(tx: Tx, change: NewPendingChange): Promise<PendingChange>
  /** Stores the successor of a draft. The draft itself is still to be closed. */
  succeed(tx: Tx, before: PendingChange, successor: Successor): Promise<PendingChange>
  /** Closes a pending draft. The caller holds its lock. */
  close(
    tx: Tx,
    change: PendingChange,
    outcome: Pick<Outcome, 'status' | 'decided_by'> & Partial<Outcome>,
  ): Promise<PendingChange>
  /** Names the successor of a draft that is closed already. */
  nameSuccessor(tx: Tx, change: PendingChange, successor: PendingChange): Promise<PendingChange>
}

export type LedgerDeps = {
  /** Called in the transaction after each step, with the draft as it is now. Must not throw. */
  onChange: (tx: Tx, change: PendingChange) => void
}

export function createLedger({ onChange }: LedgerDeps): Ledger {
  const notify = (tx: Tx, change: PendingChange) => {
    onChange(tx, change)
    return change
  }

  return {
    async insert(tx, change) {
      return notify(tx, await createPendingChangesRepo(tx).insertOnce(change))
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

    async close(tx, change, outcome) {
      const nothing = { decision: null, result_version: null, superseded_by: null }
      return notify(tx, await createPendingChangesRepo(tx).close(change.id, { ...nothing, ...outcome }))
    },

    async nameSuccessor(tx, change, successor) {
      return notify(tx, await createPendingChangesRepo(tx).nameSuccessor(change.id, successor.id))
    },
  }
}
