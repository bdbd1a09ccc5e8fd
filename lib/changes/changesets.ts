// Drafts that belong together, approved as one: all of them, in an order in which each can be applied, or none.

import type { Actor } from '../auth/actor.ts'
import type { PendingChange } from '../contract/card.ts'
import type { Changeset, ChangesetItem } from '../contract/changeset.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import type { Kinds } from '../entities/kinds.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import { cleanText } from '../text/clean.ts'
import { type Apply, createApply } from './approve.ts'
import { loadCard } from './cards.ts'
import { creatorsNeeded, orderByNeed } from './changeset-order.ts'
import { alreadyDecided, checkDecides, checkHash, closeRejected, type DecisionDeps } from './decide.ts'

/** The hash that was looked at, for each draft. */
export type Payloads = Readonly<Record<string, string>>

export type Changesets = {
  /**
   * Applies every draft that waits, or nothing. The same request again gives the same answer. Throws `AppError`: 404;
   * 409 `changeset_changed` when others wait than those named, `payload_mismatch` as for one draft,
   * `changeset_failed` with the draft that cannot be applied and why in `details.failed`.
   */
  approve(actor: Actor, id: string, payloads: Payloads): Promise<PendingChange[]>
  /** Closes every draft that waits without a change. */
  reject(actor: Actor, id: string, options?: { reason?: string | undefined }): Promise<PendingChange[]>
}

export function createChangesets(deps: DecisionDeps): Changesets {
  const { database, kinds, ledger } = deps
  const apply = createApply(deps)

  return {
    async approve(actor, id, payloads) {
      return await decide(actor, id, async (tx, changes) => {
        const waiting = changes.filter(({ status }) => status === 'pending')
        const before = approvedBefore(changes, payloads)
        if (before) return before
        refuseOthers(waiting, payloads)
        for (const change of waiting) await checkHash(tx, kinds, change, payloads[change.id])
        return await applyAll({ tx, actor, kinds, apply }, orderByNeed(kinds, waiting))
      })
    },

    async reject(actor, id, options = {}) {
      const reason = options.reason === undefined ? null : cleanText(options.reason)
      return await decide(actor, id, async (tx, changes) => {
        const waiting = changes.filter(({ status }) => status === 'pending')
        const other = changes.find(({ status }) => !['superseded', 'rejected'].includes(status))
        if (waiting.length === 0 && other) throw alreadyDecided(other)
        if (waiting.length === 0) return changes.filter(({ status }) => status === 'rejected')
        const rejected: PendingChange[] = []
        for (const change of waiting) rejected.push(await closeRejected(ledger, tx, actor, change, reason))
        return rejected
      })
    },
  }

  async function decide(
    actor: Actor,
    id: string,
    run: (tx: Queryable, changes: PendingChange[]) => Promise<PendingChange[]>,
  ): Promise<PendingChange[]> {
    checkDecides(actor)
    return await database.transaction(async (tx) => {
      const changes = await createPendingChangesRepo(tx).lockChangeset(id)
      if (changes.length === 0) throw notFound('changeset', id)
      return await run(tx, changes)
    })
  }
}

type Application = { tx: Queryable; actor: Actor; kinds: Kinds; apply: Apply }

/** Applies drafts one after the other; throws a 409 `AppError` `changeset_failed` for the first that cannot be. */
export async function applyAll(
  { tx, actor, kinds, apply }: Application,
  changes: readonly PendingChange[],
): Promise<PendingChange[]> {
  const approved: PendingChange[] = []
  for (const change of changes) {
    try {
      const applied = await apply(tx, actor, change)
      if (applied.refusal) throw applied.refusal
      approved.push(applied.change)
    } catch (error) {
      throw error instanceof AppError ? await failed(tx, kinds, change, error) : error
    }
  }
  return approved
}

async function failed(
  tx: Queryable,
  kinds: Kinds,
  change: PendingChange,
  error: AppError,
): Promise<AppError> {
  const { summary } = await loadCard(tx, kinds, change)
  const { code, message, details } = error
  return conflict('changeset_failed', `Nothing was applied, because one cannot be. ${summary}: ${message}`, {
    failed: { pending_change_id: change.id, summary, code, message, ...(details ? { details } : {}) },
  })
}

/** The drafts named, if every one of them was approved whole and with that very payload. */
function approvedBefore(changes: readonly PendingChange[], payloads: Payloads): PendingChange[] | null {
  const named = changes.filter(({ id }) => Object.hasOwn(payloads, id))
  const approved = named.every(
    ({ id, status, payload_sha256, superseded_by }) =>
      status === 'approved' && superseded_by === null && payloads[id] === payload_sha256,
  )
  return named.length > 0 && named.length === Object.keys(payloads).length && approved ? named : null
}

function refuseOthers(waiting: readonly PendingChange[], payloads: Payloads): void {
  const ids = waiting.map(({ id }) => id)
  const unnamed = ids.filter((id) => !Object.hasOwn(payloads, id))
  const closed = Object.keys(payloads).filter((id) => !ids.includes(id))
  if (unnamed.length + closed.length === 0 && ids.length > 0) return
  throw conflict(
    'changeset_changed',
    'Other drafts wait in this changeset than those named. Look at it again.',
    {
      unnamed,
      closed,
    },
  )
}

/** A changeset with the cards of its drafts and what each needs; `null` when the actor can see none of them. */
export async function loadChangeset(
  db: Database,
  kinds: Kinds,
  { id, space_ids, agent_id }: { id: string; space_ids: readonly string[] | null; agent_id: string | null },
): Promise<Changeset | null> {
  const all = await createPendingChangesRepo(db).listChangeset(space_ids, id)
  const changes = all.filter((change) => agent_id === null || change.agent_id === agent_id)
  const [first] = changes
  if (!first) return null

  const items: ChangesetItem[] = []
  for (const change of orderByNeed(
    kinds,
    changes.filter(({ status }) => status !== 'superseded'),
  )) {
    const card = await loadCard(db, kinds, change)
    items.push({ ...change, card, needs: [] })
  }
  const { space_id, conversation_id, turn_id } = first
  return { id, space_id, agent_id: first.agent_id, conversation_id, turn_id, items: items.map(withNeeds) }

  function withNeeds(item: ChangesetItem): ChangesetItem {
    const needs = creatorsNeeded(kinds, item, items).map(({ id, entity_type, entity_id, status }) => {
      const summary = items.find((one) => one.id === id)?.card.summary ?? ''
      return { pending_change_id: id, entity_type, entity_id, status, summary }
    })
    return { ...item, needs }
  }
}
