import type { Card, PendingChange } from '../contract/card.ts'
import type { ChangeSince } from '../contract/decision.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { titleOf } from '../entities/kind.ts'
import { summarizeChange } from './summarize.ts'

export type CardInput = {
  change: PendingChange
  kind: Kind
  /**
   * What the change is shown against: the entity as it is now, in the trash or not, or as it was when the change was
   * approved; `null` when there is none (a create, or a target that is gone for good).
   */
  row: EntityRow | null
  space: { id: string; name: string }
  agent: { id: string; slug: string; name: string }
  /** Titles of what the reference fields name, by id. */
  references?: Record<string, string>
  /** What happened to the entity since the draft was made, the latest first. */
  since?: ChangeSince[]
  undone?: Card['undone']
}

/** The card of a change, from its stored payload and the current row alone. Pure. */
export function makeCard({
  change,
  kind,
  row,
  space,
  agent,
  references = {},
  since,
  undone = null,
}: CardInput): Card {
  return {
    pending_change_id: change.id,
    changeset_id: change.changeset_id,
    operation: change.action,
    entity_type: change.entity_type,
    entity_id: change.entity_id,
    title: row ? titleOf(row) : String(change.payload.title ?? ''),
    space,
    summary: summarizeChange(kind, change, row),
    fields: cardFields(change, kind, row),
    payload_sha256: change.payload_sha256,
    status: change.status,
    stale: withSince(staleness(change, row), since),
    derivation: change.derivation,
    supersedes: change.supersedes,
    superseded_by: change.superseded_by,
    conflicts: change.conflicts,
    agent,
    references,
    note: change.reason,
    created_at: change.created_at,
    decided: decisionOf(change),
    undone,
    drill: change.drill,
  }
}

function decisionOf({ decided_at, decided_by, decision }: PendingChange): Card['decided'] {
  if (decided_at === null) return null
  return { at: decided_at, by: decided_by ?? '', reason: decision?.reason ?? null }
}

function cardFields(change: PendingChange, kind: Kind, row: EntityRow | null): Card['fields'] {
  if (change.action === 'delete') {
    return Object.keys(kind.fields.shape).map((name) => ({ name, before: row?.[name] ?? null, after: null }))
  }
  return Object.entries(change.payload).map(([name, after]) => ({ name, before: row?.[name] ?? null, after }))
}

const withSince = (stale: Card['stale'], since: ChangeSince[] | undefined): Card['stale'] =>
  stale && since ? { ...stale, since } : stale

/** Which version the entity has moved on to, if it has; `null` for a draft that can be applied, or is decided. */
export function staleness(change: PendingChange, row: EntityRow | null): Card['stale'] {
  if (change.status !== 'pending' || change.base_version === null) return null
  const current = row && row.deleted_at === null ? row.version : null
  if (current === change.base_version) return null
  return { base_version: change.base_version, current_version: current }
}
