// The lines of changes, and what lines and cards have in common: rows, Spaces, agents and undos. The number of statements
// depends on the kinds and states among the changes, not on how many changes there are.

import { markOf, undoOf } from '../../content/writes/history.ts'
import type { CardLine } from '../../contract/changes/card.ts'
import { makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { machineZone } from '../../core/schedule/zoned.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { type AppliedSides, createAuditOfDraftsRepo } from '../../db/repos/decisions.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createOwnerZoneRepo } from '../../db/repos/owner_sessions.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { type LineInput, makeCardLine } from './make-card.ts'

/** The lines of changes of any Spaces, in their order. However many there are, the statements are as many. */
export async function loadCardLines(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
): Promise<CardLine[]> {
  const inputs = await loadLineInputs(db, kinds, changes, { text: false })
  return inputs.map(makeCardLine)
}

const deletedSpace = '(deleted Space)'

type Sides = Map<string, AppliedSides>

/** In the order of the changes. Without `text` the rows lack their long text, and so do approved payloads. */
export async function loadLineInputs(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
  { text }: { text: boolean },
): Promise<LineInput[]> {
  if (changes.length === 0) return []
  const approved = changes.filter(({ status }) => status === 'approved')
  const sides = await loadSides(db, approved, text)
  const undone = await loadUndone(db, approved, sides)
  const rows = await loadRows(db, kinds, changes, text)
  const spaces = await createSpacesRepo(db).listNames(unique(changes.map(({ space_id }) => space_id)))
  const marks = await createAgentsRepo(db).listMarks(unique(changes.map(({ agent_id }) => agent_id)))
  const agents = new Map(marks.map((mark) => [mark.id, mark]))
  const zone = (await createOwnerZoneRepo(db).find())?.time_zone ?? machineZone()
  const turnIds = unique(changes.flatMap(({ turn_id }) => turn_id ?? []))
  const routines = turnIds.length > 0 ? await createConversationsRepo(db).listRoutines(turnIds) : new Map()

  return changes.map((stored) => {
    const { id, space_id, agent_id } = stored
    const change = asApplied(stored, sides.get(id)?.after ?? null)
    const row = makesNew(change.action) ? undefined : rows.get(placeKey(targetOf(change)))
    return {
      change,
      kind: kinds.get(change.entity_type),
      row: row ? { ...row, ...(change.action === 'update' ? sides.get(id)?.before : {}) } : null,
      zone,
      space: { id: space_id, name: spaces.get(space_id) ?? deletedSpace },
      agent: agents.get(agent_id) ?? { id: agent_id, slug: '', name: '', color: null },
      undone: undone.get(id) ?? null,
      routine: routines.get(stored.turn_id ?? '') ?? null,
    }
  })
}

async function loadSides(db: Queryable, approved: readonly PendingChange[], text: boolean): Promise<Sides> {
  if (approved.length === 0) return new Map()
  return await createAuditOfDraftsRepo(db).listApplied(approved, { after: text })
}

/** The undo of what approving each draft changed, by the draft's id. */
async function loadUndone(
  db: Queryable,
  approved: readonly PendingChange[],
  sides: Sides,
): Promise<Map<string, CardLine['undone']>> {
  if (approved.length === 0) return new Map()
  const undos = await createAuditOfDraftsRepo(db).listUndosByEntity(
    unique(approved.map(({ entity_id }) => entity_id)),
  )
  return new Map(
    approved.map(({ id, entity_id }) => {
      const applied = sides.get(id)
      return [id, applied ? markOf(undoOf(applied.seq, undos.get(entity_id) ?? [])) : null]
    }),
  )
}

/** What the changes are about, by place; a deleted one still has a title. */
async function loadRows(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
  text: boolean,
): Promise<Map<string, EntityRow>> {
  const rows = new Map<string, EntityRow>()
  const targets = changes.filter(({ action }) => !makesNew(action))
  for (const [type, group] of Map.groupBy(targets, ({ entity_type }) => entity_type)) {
    const [spaceIds, ids] = placesOf(group.map(targetOf))
    const found = await createEntitiesRepo(db).listWithinSpaces(kinds.get(type), spaceIds, ids, { text })
    for (const row of found) rows.set(placeKey(row), row)
  }
  return rows
}

const unique = (ids: readonly string[]) => [...new Set(ids)]

/**
 * The draft as it is shown: of one that was approved in part only what was applied, with the values from the audit
 * log where they are at hand.
 */
function asApplied(change: PendingChange, after: Record<string, unknown> | null): PendingChange {
  const { status, superseded_by, decision } = change
  if (status !== 'approved' || superseded_by === null || decision === null) return change
  const chosen = Object.entries(change.payload).filter(([name]) => decision.fields?.includes(name) ?? true)
  const payload = chosen.flatMap(([name, value]) =>
    after === null ? [[name, value]] : Object.hasOwn(after, name) ? [[name, after[name]]] : [],
  )
  return { ...change, payload: Object.fromEntries(payload) }
}

/** An entity, or what refers to one, by its Space and id. */
export type Place = { space_id: string; id: string }

/** A key for a map of entities. The Space is part of it: nothing is found by its id alone. */
export const placeKey = ({ space_id, id }: Place): string => `${space_id}/${id}`

/** The Spaces and the ids of entities, each once, as queries for many of them take them. */
export const placesOf = (places: readonly Place[]): [spaceIds: string[], ids: string[]] => [
  [...new Set(places.map(({ space_id }) => space_id))],
  [...new Set(places.map(({ id }) => id))],
]

/** The place of what a change is about. */
export const targetOf = ({ space_id, entity_id }: { space_id: string; entity_id: string }): Place => ({
  space_id,
  id: entity_id,
})
