// Drafts that belong together, approved as one: all of them, in an order in which each can be applied, or none.

import { holdRenames } from '../content/writes/follow-renames.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { AppError, conflict, notFound } from '../core/errors.ts'
import { cleanText } from '../core/text/clean.ts'
import type { Tx } from '../db/pool.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { alreadyDecided, checkHash, withCardOfMismatch } from './approval-errors.ts'
import { type Apply, createApply } from './approve.ts'
import { loadCardLines } from './card/load-card-lines.ts'
import { orderByNeed } from './changeset-order.ts'
import { checkDecides, closeRejected, type DecisionDeps } from './decide.ts'

/** The hash that was looked at, for each draft. */
type Payloads = Readonly<Record<string, string>>

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
        for (const change of waiting) checkHash(change, payloads[change.id])
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
        for (const change of waiting)
          rejected.push(await closeRejected(ledger, tx, actor, change, { reason }))
        return rejected
      })
    },
  }

  async function decide(
    actor: Actor,
    id: string,
    run: (tx: Tx, changes: PendingChange[]) => Promise<PendingChange[]>,
  ): Promise<PendingChange[]> {
    checkDecides(actor)
    return await withCardOfMismatch(deps, () =>
      database.transaction(async (tx) => {
        const changes = await createPendingChangesRepo(tx).lockChangeset(id)
        if (changes.length === 0) throw notFound('changeset', id)
        return await run(tx, changes)
      }),
    )
  }
}

type Application = { tx: Tx; actor: Actor; kinds: Kinds; apply: Apply }

/** Applies drafts one after the other; throws a 409 `AppError` `changeset_failed` for the first that cannot be. */
export async function applyAll(
  { tx, actor, kinds, apply }: Application,
  changes: readonly PendingChange[],
): Promise<PendingChange[]> {
  return await holdRenames(tx, async () => {
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
  })
}

async function failed(tx: Tx, kinds: Kinds, change: PendingChange, error: AppError): Promise<AppError> {
  const [line] = await loadCardLines(tx, kinds, [change])
  const { summary } = line!
  const { code, message, details } = error
  return conflict(
    'changeset_failed',
    `Nothing was applied, because one draft cannot be. ${summary}: ${message}`,
    {
      failed: { pending_change_id: change.id, summary, code, message, ...(details ? { details } : {}) },
    },
  )
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
    'The drafts in this changeset have changed. Reload it and decide again.',
    {
      unnamed,
      closed,
    },
  )
}
