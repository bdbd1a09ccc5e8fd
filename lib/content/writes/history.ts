// What an entity was: its versions, what differs between two of them, and which changes are undone.

import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { EntityVersion, UndoMark, VersionDiff } from '../../contract/entities.ts'
import { notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo, type UndoRow } from '../../db/repos/audit.ts'
import { createHistoryRepo, type VersionRow } from '../../db/repos/history.ts'

type Entity = { id: string; space_id: string }

/** The versions of an entity, newest first, from before `before_seq` on. */
export async function listVersions(
  db: Queryable,
  { id, space_id }: Entity,
  { before_seq, limit }: { before_seq: number | null; limit: number },
): Promise<EntityVersion[]> {
  const rows = await createHistoryRepo(db).list({ space_id, entity_id: id, before_seq, limit })
  const undos = await createAuditRepo(db).listUndos(id)
  return rows.map((row) => ({
    seq: row.seq,
    version: row.version,
    at: row.at,
    actor: row.actor,
    action: row.action,
    fields: row.fields,
    undoes: row.undoes === null ? null : { seq: row.undoes, since: row.undoes_since ?? row.undoes },
    undone: markOf(undoOf(row.seq, undos)),
    reason: reasonOf(row),
  }))
}

function reasonOf(row: VersionRow): EntityVersion['reason'] {
  if (row.pending_change_id === null || row.agent_slug === null) return null
  return {
    pending_change_id: row.pending_change_id,
    agent: { slug: row.agent_slug, name: row.agent_name ?? row.agent_slug },
    note: row.note ?? '',
    conversation:
      row.conversation_id === null ? null : { id: row.conversation_id, title: row.conversation_title ?? '' },
    asked: row.asked,
  }
}

/** What differs between two versions, in whichever order. Throws a 404 `AppError` for a version that does not exist. */
export async function diffVersions(
  db: Queryable,
  { id, space_id }: Entity,
  { from, to }: { from: number; to: number },
): Promise<VersionDiff> {
  const before = await fieldsAt(from)
  const after = await fieldsAt(to)
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  const fields = names
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after))
  return { from, to, fields }

  async function fieldsAt(version: number): Promise<Map<string, unknown>> {
    const fields = await createHistoryRepo(db).listFields(space_id, id, version)
    if (fields.length === 0) throw notFound('version', `${version} of ${id}`)
    return new Map(fields)
  }
}

/**
 * The named fields of an entity as they were at an earlier version, from its row and the audit log. `null` when the
 * log lacks a version in between.
 */
export async function findPastFields(
  db: Queryable,
  kind: Kind,
  row: EntityRow,
  { version, fields }: { version: number; fields: readonly string[] },
): Promise<Record<string, unknown> | null> {
  const entity = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
  const { versions, values } = await createAuditRepo(db).findValuesAt(entity, version, fields)
  if (versions !== row.version - version) return null
  return Object.fromEntries(
    fields.map((name) => [name, Object.hasOwn(values, name) ? values[name] : row[name]]),
  )
}

/**
 * The latest undo of a change that is in effect: not one that was itself undone, which may be wider than an earlier one
 * that still is. `undos` are all of the entity, oldest first.
 */
export function undoOf(seq: number, undos: readonly UndoRow[]): UndoRow | null {
  const inEffect: UndoRow[] = []
  // Newest first: whether an undo is in effect depends only on later ones.
  for (const undo of undos.toReversed()) {
    if (undo.seq > seq && !inEffect.some((later) => covers(later, undo.seq))) inEffect.push(undo)
  }
  return inEffect.find((undo) => covers(undo, seq)) ?? null
}

const covers = ({ undoes, undoes_since }: UndoRow, seq: number) =>
  undoes >= seq && (undoes_since ?? undoes) <= seq

/** The same on the wire. */
export function markOf(undo: UndoRow | null): UndoMark | null {
  return undo && { seq: undo.seq, at: undo.at, by: undo.actor }
}
