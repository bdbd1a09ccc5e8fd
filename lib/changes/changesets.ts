// Drafts that belong together, approved as one: all of them, in an order in which each can be applied, or none.

import { holdRenames } from '../content/writes/follow-renames.ts'
import type {
  Changeset,
  ChangesetItem,
  PendingChange,
  PendingChangeWithCard,
} from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { AppError, conflict, notFound } from '../core/errors.ts'
import { cleanText } from '../core/text/clean.ts'
import type { Database, Tx } from '../db/pool.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { type Apply, alreadyDecided, checkHash, createApply, withCardOfMismatch } from './approve.ts'
import { loadCardLines } from './card/load-card-lines.ts'
import { type LoadCards, withCards } from './card/load-cards.ts'
import { checkDecides, type DecisionDeps, lookAtTargets } from './decide.ts'

/** The hash that was looked at, for each draft. */
type Payloads = Readonly<Record<string, string>>

export type Changesets = {
  /**
   * Applies every draft that is named, or nothing. The same request again gives the same answer. Throws `AppError`: 404;
   * 409 `changeset_changed` when one that is named waits no more, or, unless it is `partial`, when others wait;
   * `payload_mismatch` as for one draft; `changeset_failed` with the draft that cannot be applied and why in
   * `details.failed`.
   */
  approve(
    actor: Actor,
    id: string,
    payloads: Payloads,
    options?: { partial?: boolean | undefined },
  ): Promise<PendingChange[]>
  /** Closes every draft that waits without a change. */
  reject(actor: Actor, id: string, options?: { reason?: string | undefined }): Promise<PendingChange[]>
}

export function createChangesets(deps: DecisionDeps): Changesets {
  const { database, kinds, states } = deps
  const apply = createApply(deps)

  return {
    async approve(actor, id, payloads, { partial = false } = {}) {
      checkDecides(actor)
      await lookAtTargets(deps, await createPendingChangeListsRepo(database).listChangeset(null, id))
      return await decide(actor, id, async (tx, changes) => {
        const before = approvedBefore(changes, payloads)
        if (before) return before
        const pending = changes.filter(({ status }) => status === 'pending')
        const waiting = partial ? pending.filter(({ id }) => Object.hasOwn(payloads, id)) : pending
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
        for (const change of waiting) rejected.push(await states.reject(tx, change, { actor, reason }))
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
    `Nothing was applied, because one draft cannot be applied. ${summary}: ${message}`,
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

/**
 * The drafts of the list that make what a draft refers to: the entity that a reference field names, or its own target.
 * What is replaced makes nothing any more.
 */
function creatorsNeeded(
  kinds: Kinds,
  change: PendingChange,
  changes: readonly PendingChange[],
): PendingChange[] {
  const { references } = kinds.get(change.entity_type)
  const named = Object.keys(references).map((field) => change.payload[field])
  const ids = new Set(change.action === 'create' ? named : [...named, change.entity_id])
  return changes.filter(
    (one) =>
      one.id !== change.id &&
      one.action === 'create' &&
      one.status !== 'superseded' &&
      ids.has(one.entity_id),
  )
}

/**
 * The same drafts, each after those that it needs, otherwise as they were made, and renames last: links follow them, which
 * gives other texts a new version. A circle stays as it was made.
 */
export function orderByNeed(kinds: Kinds, changes: readonly PendingChange[]): PendingChange[] {
  const ordered = new Set<PendingChange>()
  const begun = new Set<PendingChange>()

  function visit(change: PendingChange): void {
    if (begun.has(change)) return
    begun.add(change)
    for (const needed of creatorsNeeded(kinds, change, changes)) visit(needed)
    ordered.add(change)
  }
  for (const change of changes) if (!isRename(change)) visit(change)
  for (const change of changes) visit(change)
  return [...ordered]
}

const isRename = ({ action, payload }: PendingChange) =>
  action === 'update' && Object.hasOwn(payload, 'title')

/** A changeset with the cards of its drafts and what each needs; `null` when the actor can see none of them. */
export async function loadChangeset(
  db: Database,
  { kinds, loadCards }: { kinds: Kinds; loadCards: LoadCards },
  { id, space_ids, agent_id }: { id: string; space_ids: readonly string[] | null; agent_id: string | null },
): Promise<Changeset | null> {
  const all = await createPendingChangeListsRepo(db).listChangeset(space_ids, id)
  const changes = all.filter((change) => agent_id === null || change.agent_id === agent_id)
  const [first] = changes
  if (!first) return null

  const current = changes.filter(({ status }) => status !== 'superseded')
  const ordered = orderByNeed(kinds, current)
  const items = await withCards(db, loadCards, ordered)
  const { space_id, conversation_id, turn_id } = first
  return {
    ...{ id, space_id, agent_id: first.agent_id, conversation_id, turn_id },
    routine: items[0]?.card.routine ?? null,
    items: items.map(withNeeds),
  }

  function withNeeds(item: PendingChangeWithCard): ChangesetItem {
    const needs = creatorsNeeded(kinds, item, items).map(({ id, entity_type, entity_id, status }) => {
      const summary = items.find((one) => one.id === id)?.card.summary ?? ''
      return { pending_change_id: id, entity_type, entity_id, status, summary }
    })
    return { ...item, needs }
  }
}
