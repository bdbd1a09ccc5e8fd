import type { Card, CardLine, PendingChange } from '../contract/card.ts'
import type { ChangeSince } from '../contract/decision.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { titleOf } from '../entities/kind.ts'
import { cardFields, foldField, isFolded } from './card-fields.ts'
import { type CardLimits, cardLimits } from './diff/fold.ts'
import { fieldLabel, valueWords } from './field-words.ts'
import { summarizeChange } from './summarize.ts'
import { cardWarnings } from './warnings/card-warnings.ts'
import { noSurroundings, type Surroundings } from './warnings/warn-surroundings.ts'

export type LineInput = {
  change: PendingChange
  kind: Kind
  /**
   * What the change is shown against: the entity as it is now, in the trash or not, or as it was when the change was
   * approved; `null` when there is none (a create, or a target that is gone for good).
   */
  row: EntityRow | null
  space: { id: string; name: string }
  agent: { id: string; slug: string; name: string }
  undone?: Card['undone']
}

export type CardInput = LineInput & {
  /** Titles of what the reference fields name, by id. */
  references?: Record<string, string>
  surroundings?: Surroundings
  /** What happened to the entity since the draft was made, the latest first. */
  since?: ChangeSince[]
  /** Left out: those of a card. */
  limits?: CardLimits
}

/** The card of a change, from its stored payload and the current row alone. Pure. */
export function makeCard(input: CardInput): Card {
  const { change, kind, row, references = {}, surroundings = noSurroundings, limits = cardLimits } = input
  const whole = cardFields({ change, kind, row, references })
  const fields = whole.map((field) => foldField(field, limits))
  const draft = { kind, action: change.action, fields: whole, provenance: change.provenance }
  const line = makeCardLine(input)

  return {
    ...line,
    stale: withSince(line.stale, input.since),
    fields,
    defaults: change.action === 'create' ? defaultsOf(kind, change.payload) : [],
    warnings: cardWarnings(draft, surroundings),
    provenance: change.provenance,
    folded: fields.some(isFolded),
    conflicts: change.conflicts,
    references,
    note: change.reason,
  }
}

/** A card's line in a list. Cheap: nothing is compared. */
export function makeCardLine({ change, kind, row, space, agent, undone = null }: LineInput): CardLine {
  return {
    pending_change_id: change.id,
    changeset_id: change.changeset_id,
    operation: change.action,
    entity_type: change.entity_type,
    entity_id: change.entity_id,
    title: row ? titleOf(row) : String(change.payload.title ?? ''),
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
    drill: change.drill,
  }
}

function decisionOf({ decided_at, decided_by, decision }: PendingChange): Card['decided'] {
  if (decided_at === null) return null
  return { at: decided_at, by: decided_by ?? '', reason: decision?.reason ?? null }
}

function defaultsOf(kind: Kind, payload: Record<string, unknown>): Card['defaults'] {
  return Object.entries(kind.defaults)
    .filter(([name]) => !(name in payload))
    .map(([name, value]) => ({
      name,
      label: fieldLabel(name),
      value,
      words: valueWords(kind, { name, value, references: {} }),
    }))
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
