import type { AgentMark } from '../../contract/agents.ts'
import type { Card, CardLine } from '../../contract/changes/card.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import { titleOf } from '../../contract/entities/kind.ts'
import { summarizeChange } from './summarize-change.ts'

export type LineInput = {
  change: PendingChange
  kind: Kind
  /**
   * What the change is shown against: the entity as it is now, in the trash or not, or as it was when the change was
   * approved; `null` when there is none (a create, or a target that was deleted permanently).
   */
  row: EntityRow | null
  space: { id: string; name: string }
  agent: AgentMark
  undone?: Card['undone']
}

/** A card's line in a list. Pure and cheap: no text is compared. */
export function makeCardLine({ change, kind, row, space, agent, undone = null }: LineInput): CardLine {
  return {
    pending_change_id: change.id,
    changeset_id: change.changeset_id,
    operation: change.action,
    entity_type: change.entity_type,
    entity_id: change.entity_id,
    title: row ? titleOf(row) : draftedTitle(kind, change.payload),
    space,
    summary: summarizeChange(kind, change, row),
    payload_sha256: change.payload_sha256,
    status: change.status,
    stale: staleness(change, row),
    derivation: change.derivation,
    supersedes: change.supersedes,
    superseded_by: change.superseded_by,
    agent,
    created_at: change.created_at,
    decided: decisionOf(change),
    undone,
  }
}

const draftedTitle = (kind: Kind, payload: Record<string, unknown>): string =>
  String(payload.title ?? kind.derive(payload).title ?? '')

/** Which version the entity has moved on to, if it has; `null` for a draft that can be applied, or is decided. */
export function staleness(change: PendingChange, row: EntityRow | null): CardLine['stale'] {
  if (change.status !== 'pending' || change.base_version === null) return null
  const current = row && row.deleted_at === null ? row.version : null
  if (current === change.base_version) return null
  return { base_version: change.base_version, current_version: current }
}

function decisionOf({ decided_at, decided_by, decision }: PendingChange): CardLine['decided'] {
  if (decided_at === null) return null
  return { at: decided_at, by: decided_by ?? '', reason: decision?.reason ?? null }
}
