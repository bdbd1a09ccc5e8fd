// What the lines and the cards of changes have in common: their rows, Spaces, agents and undos. The number of
// statements depends on the kinds and states among the changes, not on how many changes there are.

import { markOf, undoOf } from '../../content/writes/history.ts'
import type { CardLine } from '../../contract/changes/card.ts'
import { makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { type AppliedSides, createAuditOfDraftsRepo } from '../../db/repos/decisions.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { asApplied } from './applied-payload.ts'
import type { LineInput } from './make-card-line.ts'
import { placeKey, placesOf, targetOf } from './place.ts'

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

  return changes.map((stored) => {
    const { id, space_id, agent_id } = stored
    const change = asApplied(stored, sides.get(id)?.after ?? null)
    const row = makesNew(change.action) ? undefined : rows.get(placeKey(targetOf(change)))
    return {
      change,
      kind: kinds.get(change.entity_type),
      row: row ? { ...row, ...(change.action === 'update' ? sides.get(id)?.before : {}) } : null,
      space: { id: space_id, name: spaces.get(space_id) ?? deletedSpace },
      agent: agents.get(agent_id) ?? { id: agent_id, slug: '', name: '', color: null },
      undone: undone.get(id) ?? null,
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
