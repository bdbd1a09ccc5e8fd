// The one way an entity changes: the owner's own edits, approved drafts and imports all come through `write`. In the
// caller's transaction it compares versions, stores the row, keeps names, links and the search index in step, and
// appends the audit row. The audit chain's lock is the one that every writer shares: it is taken first, so that
// writers stand in one line and never wait for each other in a circle.

import { v7 as uuid } from 'uuid'
import { type Actor, actorName } from '../auth/actor.ts'
import type { Queryable } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import type { EntityRow, Kind, Origin } from '../entities/kind.ts'
import { titleOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { createLinkKeeper } from '../links/keep.ts'
import type { Search } from '../search/search.ts'
import { changedFields, validateCreate, validateUpdate } from './validate-fields.ts'

export type EntityWrite =
  | {
      action: 'create'
      type: string
      space_id: string
      /** Left out: a new one. */
      id?: string
      fields: Record<string, unknown>
      /** Values for the kind's hidden columns: an import's original bytes. */
      hidden?: Record<string, unknown>
      /** Its paths in an imported folder, which links may name it by. */
      paths?: readonly string[]
      origin?: Origin
    }
  | {
      action: 'update'
      type: string
      space_id: string
      id: string
      version: number
      fields: Record<string, unknown>
    }
  | { action: 'delete' | 'restore'; type: string; space_id: string; id: string; version: number }

export type WriteContext = {
  actor: Actor
  pendingChangeId?: string
  /** The audit row that this write takes back, or the run of them. */
  undoes?: { seq: number; since: number | null }
}

export type Writer = {
  /**
   * Applies one write in the caller's transaction and returns the row as it is afterwards. An update that changes
   * nothing returns the row as it was, without a new version.
   *
   * Throws `AppError`: 400 for fields that do not fit the kind, 404 for an absent entity, 409 `stale_version` (with
   * `details.current`) for another version than the one named, 409 `missing_reference` for a reference to nothing.
   */
  write(tx: Queryable, write: EntityWrite, context: WriteContext): Promise<EntityRow>
}

export type WriterDeps = { kinds: Kinds; search: Search; now: () => Date }

type Change = {
  action: EntityWrite['action']
  kind: Kind
  row: EntityRow
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export function createWriter({ kinds, search, now }: WriterDeps): Writer {
  return {
    async write(tx, write, context) {
      const kind = kinds.get(write.type)
      await createAuditRepo(tx).lock()
      const change = await store(tx, kind, write, context)
      if (!change) return await current(tx, kind, write)

      await keepDerived(tx, change, write.action === 'create' ? write.paths : undefined)
      await createAuditRepo(tx).append({
        space_id: write.space_id,
        actor: actorName(context.actor),
        action: write.action,
        entity_type: kind.type,
        entity_id: change.row.id,
        version: change.row.version,
        before: change.before,
        after: change.after,
        pending_change_id: context.pendingChangeId ?? null,
        undoes: context.undoes?.seq ?? null,
        undoes_since: context.undoes?.since ?? null,
      })
      return change.row
    },
  }

  async function store(tx: Queryable, kind: Kind, write: EntityWrite, context: WriteContext) {
    switch (write.action) {
      case 'create':
        return await create(tx, kind, write, context)
      case 'update':
        return await update(tx, kind, write, context)
      default:
        return await setDeleted(tx, kind, write, context)
    }
  }

  async function create(
    tx: Queryable,
    kind: Kind,
    write: Extract<EntityWrite, { action: 'create' }>,
    context: WriteContext,
  ): Promise<Change> {
    const fields = validateCreate(kind, write.fields)
    const id = write.id ?? uuid()
    await checkReferences(tx, kind, write.space_id, null, fields)
    const row = await createEntitiesRepo(tx).insert(kind, {
      id,
      space_id: write.space_id,
      fields: { ...fields, ...kind.derive(fields), ...write.hidden },
      actor: actorName(context.actor),
      origin: write.origin ?? (context.actor.kind === 'agent' ? 'agent' : 'owner'),
    })
    const after = Object.fromEntries(Object.keys(kind.fields.shape).map((name) => [name, row[name]]))
    return { action: 'create', kind, row, before: null, after }
  }

  async function update(
    tx: Queryable,
    kind: Kind,
    write: Extract<EntityWrite, { action: 'update' }>,
    context: WriteContext,
  ): Promise<Change | null> {
    const fields = validateUpdate(kind, write.fields)
    const row = await lockAtVersion(tx, kind, write, false)
    const after = changedFields(row, fields)
    const names = Object.keys(after)
    if (names.length === 0) return null

    await checkReferences(tx, kind, write.space_id, row.id, after)
    const before = Object.fromEntries(names.map((name) => [name, row[name]]))
    const updated = await createEntitiesRepo(tx).update(kind, row, after, actorName(context.actor))
    return { action: 'update', kind, row: updated, before, after }
  }

  async function setDeleted(
    tx: Queryable,
    kind: Kind,
    write: Extract<EntityWrite, { action: 'delete' | 'restore' }>,
    context: WriteContext,
  ): Promise<Change> {
    const deleting = write.action === 'delete'
    const row = await lockAtVersion(tx, kind, write, !deleting)
    const deleted_at = deleting ? now().toISOString() : null
    const updated = await createEntitiesRepo(tx).update(kind, row, { deleted_at }, actorName(context.actor))
    return {
      action: write.action,
      kind,
      row: updated,
      before: { deleted_at: row.deleted_at },
      after: { deleted_at: updated.deleted_at },
    }
  }

  async function lockAtVersion(
    tx: Queryable,
    kind: Kind,
    write: { space_id: string; id: string; version: number },
    deleted: boolean,
  ): Promise<EntityRow> {
    const row = await createEntitiesRepo(tx).lock(kind, write.space_id, write.id)
    if (!row || (row.deleted_at !== null) !== deleted) throw notFound(kind.label, write.id)
    if (row.version === write.version) return row

    throw conflict(
      'stale_version',
      `The ${kind.label} ${row.id} has changed since version ${write.version}; it is now at version ${row.version}.`,
      { current: row },
    )
  }

  async function current(tx: Queryable, kind: Kind, write: EntityWrite): Promise<EntityRow> {
    const row = write.id && (await createEntitiesRepo(tx).find(kind, write.space_id, write.id))
    if (!row) throw notFound(kind.label, write.id ?? '')
    return row
  }

  // A new entity (`id` null) has nothing below it yet, so it cannot come to stand below itself.
  async function checkReferences(
    tx: Queryable,
    kind: Kind,
    spaceId: string,
    id: string | null,
    fields: Record<string, unknown>,
  ): Promise<void> {
    const entities = createEntitiesRepo(tx)

    for (const [column, type] of Object.entries(kind.references)) {
      const target = fields[column]
      if (typeof target !== 'string') continue
      const targetKind = kinds.get(type)
      if (!(await entities.find(targetKind, spaceId, target))) {
        throw conflict(
          'missing_reference',
          `${column}: there is no ${targetKind.label} ${target} in this Space.`,
          {
            field: column,
            entity_type: type,
            entity_id: target,
          },
        )
      }
      if (id && type === kind.type && (await entities.isWithin(kind, spaceId, column, target, id))) {
        throw invalid(`${column}: a ${kind.label} cannot stand below itself.`, { details: { field: column } })
      }
    }
  }

  async function keepDerived(
    tx: Queryable,
    { action, kind, row, after }: Change,
    paths: readonly string[] | undefined,
  ): Promise<void> {
    const place = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
    const text = kind.searchText(row)
    const keeper = createLinkKeeper(tx)

    if (action === 'delete') {
      await keeper.forget(place)
      await search.remove(tx, row.id)
      return
    }
    if (action === 'update' && !changesText(kind, after)) return
    if (action === 'restore') await keeper.recall(place)
    if (action === 'create') await keeper.begin(place, titleOf(row), text, paths)
    else await keeper.keep(place, titleOf(row), text)
    await search.index(tx, { ...place, title: titleOf(row), text })
  }
}

// A status or a date is no part of what is searched or linked; anything else may be.
function changesText(kind: Kind, after: Record<string, unknown> | null): boolean {
  const quiet = new Set([...Object.keys(kind.references), kind.statusField, 'position', 'due_on', 'priority'])
  return Object.keys(after ?? {}).some((name) => !quiet.has(name))
}
