// Drills, for an owner who asked for them: now and then a draft among the others that should not be approved. It looks
// like any draft of the companion until it is decided; no agent ever sees it.

import { v7 as uuid } from 'uuid'
import { unknownProvenance } from '../changes/grounding/gather-provenance.ts'
import type { Ledger } from '../changes/ledger.ts'
import { canonicalJson, sha256 } from '../changes/payload.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Database } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createDrillsRepo, type DrillTarget } from '../db/repos/drills.ts'
import { makeDrill } from './make-drill.ts'

export type Drills = {
  /** On or off. The first one comes within a few days. */
  set(on: boolean): Promise<void>
  /** Stores the drill that is due, if one is; `null` otherwise, and where there is nothing that it could be about. */
  runDue(): Promise<PendingChange | null>
}

export type DrillDeps = {
  database: Database
  ledger: Ledger
  now: () => Date
  /** From 0 up to 1. */
  random?: () => number
}

const dayMs = 24 * 60 * 60 * 1000
/** Days from one drill to the next: at least, and at most. */
const days = { first: [1, 4], next: [4, 14] } as const
/** Pages that are chosen from. */
const maxTargets = 50

export function createDrills({ database, ledger, now, random = Math.random }: DrillDeps): Drills {
  const within = ([least, most]: readonly [number, number]) =>
    new Date(now().getTime() + (least + random() * (most - least)) * dayMs)

  return {
    async set(on) {
      const repo = createDrillsRepo(database)
      const { drills } = await repo.settings()
      if (drills !== on) await repo.schedule(on ? within(days.first) : null)
    },

    async runDue() {
      const agent = await createAgentsRepo(database).findBySlug('companion')
      if (!agent) return null
      return await database.transaction(async (tx) => {
        const repo = createDrillsRepo(tx)
        if (!(await repo.claimDue(now(), within(days.next)))) return null
        const targets = await repo.listTargets(maxTargets)
        const target = targets[Math.floor(random() * targets.length)]
        return target ? await ledger.insert(tx, toDraft(target, agent.id)) : null
      })
    },
  }

  function toDraft(target: DrillTarget, agent_id: string) {
    const { action, payload, reason } = makeDrill(target, random)
    const text = canonicalJson(payload)
    return {
      id: uuid(),
      space_id: target.space_id,
      agent_id,
      conversation_id: null,
      turn_id: null,
      tool_use_id: null,
      changeset_id: uuid(),
      entity_type: 'page',
      entity_id: target.id,
      action,
      payload: text,
      payload_sha256: sha256(text),
      base_version: target.version,
      reason,
      derivation: 'proposed' as const,
      supersedes: null,
      provenance: unknownProvenance,
      drill: true,
    }
  }
}
