import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { EntityRow, Kind, Origin } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { type Actor, actorName } from '../../core/actor.ts'
import { conflict, invalid, notFound } from '../../core/errors.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import type { Queryable, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createNamesRepo, type PlacedEntity } from '../../db/repos/names.ts'
import { freePath } from './free-path.ts'
import { hasPath, moveBelow, pathOf, placeAfter, placeNew, placeOf, takePath } from './place-entity.ts'
import { changedFields, validateCreate, validateUpdate } from './validate-fields.ts'

/** When a text was written, as its source dates it: ISO 8601. */
export type Written = { created_at?: string; updated_at: string }

/** A change of one entity. */
export type EntityWrite =
  | {
      action: 'create'
      type: string
      space_id: string
      /** Default: generated. */
      id?: string
      fields: Record<string, unknown>
      /** Values for the kind's hidden columns: an import's original bytes. */
      hidden?: Record<string, unknown>
      /** Default: now. */
      written?: Written | undefined
      /** Its path in the folder that it comes from; another one if that is taken. */
      path?: string | undefined
      /** Paths by which links referred to it before. */
      formerPaths?: readonly string[]
      origin?: Origin
    }
  | {
      action: 'update'
      type: string
      space_id: string
      id: string
      version: number
      fields: Record<string, unknown>
      /** Its path in the folder that it comes from; another one if that is taken. */
      path?: string | undefined
      /** Default: now, and created when it was. */
      written?: Written | undefined
      /** The day that a repeating task moves on from. Default: today, where the owner is. */
      today?: string | undefined
      /** The client's id of this save. */
      save_id?: string | undefined
      /** The text and the bytes of a canvas whose links follow a rename; no other file changes. */
      content?: { text: string; original: Buffer } | undefined
    }
  | {
      action: 'delete' | 'restore'
      type: string
      space_id: string
      id: string
      /** `null`: whichever is current once the write has its turn. */
      version: number | null
    }

type WriteOf<Action extends EntityWrite['action']> = Extract<EntityWrite, { action: Action }>

type WriteContext = {
  actor: Actor
  pendingChangeId?: string
  /** The audit row that this write undoes, or the run of rows. */
  undoes?: { seq: number; since: number | null }
}

/** As `Writer.write`. */
export type Write = (tx: Tx, write: EntityWrite, context: WriteContext) => Promise<EntityRow>

type Order<Write extends EntityWrite = EntityWrite> = {
  kinds: Kinds
  kind: Kind
  write: Write
  actor: Actor
  calendar: Calendar
  /** Whether it puts back what was there before, as it was. */
  restores: boolean
}

/** The row after the write, and the fields that changed as they were before and are now. */
type StoredChange = {
  row: EntityRow
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** Whether it has another text, which is not said of it. */
  isRewritten?: boolean
  /** Whether it has another path than before. */
  isMoved: boolean
  /** What lies in its folder and moved with it. */
  moved: PlacedEntity[]
}

/** Stores the row of a write; null for an update that changes nothing. Throws as `Writer.write`. */
export async function storeEntity(tx: Queryable, order: Order): Promise<StoredChange | null> {
  const { write } = order
  switch (write.action) {
    case 'create':
      return await create(tx, { ...order, write })
    case 'update':
      return await update(tx, { ...order, write })
    default:
      return await setDeleted(tx, { ...order, write })
  }
}

async function create(
  tx: Queryable,
  { kinds, kind, write, actor, calendar }: Order<WriteOf<'create'>>,
): Promise<StoredChange> {
  const { space_id } = write
  const fields = validateCreate(kind, write.fields)
  await checkReferences(tx, kinds, { kind, space_id, id: null, fields })
  const id = write.id ?? uuid()
  const place = hasPath(kind) ? await placeNew(tx, kind, { space_id, id, fields, wanted: write.path }) : {}
  const row = await createEntitiesRepo(tx).insert(kind, {
    id,
    space_id,
    fields: { ...fields, ...place, ...kind.derive(fields), ...write.hidden, ...datesOf(write, calendar) },
    actor: actorName(actor),
    origin: write.origin ?? (actor.kind === 'agent' ? 'agent' : 'owner'),
  })
  const after = Object.fromEntries(Object.keys(kind.fields.shape).map((name) => [name, row[name]]))
  await takePath(tx, kind, row)
  return { row, before: null, after, isMoved: false, moved: [] }
}

async function update(
  tx: Queryable,
  { kinds, kind, write, actor, calendar, restores }: Order<WriteOf<'update'>>,
): Promise<StoredChange | null> {
  const given = validateUpdate(kind, write.fields)
  const row = await lockAtVersion(tx, kind, write, false)
  const moment = { today: write.today ?? today(calendar), zone: calendar.zone() }
  const fields = restores ? given : await kind.resolveUpdate(row, given, moment)
  const asked = changedFields(row, fields)
  const after = {
    ...asked,
    ...changedFields(row, await placeAfter(tx, kind, row, asked, write.path, restores)),
  }
  const content = write.content ? contentOf(row, write.content) : {}
  const names = Object.keys({ ...after, ...content })
  if (names.length === 0) return null

  await checkReferences(tx, kinds, { kind, space_id: write.space_id, id: row.id, fields: after })
  // What follows from them is not said of its own: putting them back puts it back.
  const before = Object.fromEntries(Object.keys(asked).map((name) => [name, row[name]]))
  const values = { ...after, ...content, ...datesOf(write, calendar) }
  const updated = await createEntitiesRepo(tx).update(kind, row, values, actorName(actor))
  const isRewritten = write.content !== undefined
  if (!('path' in after))
    return { row: updated, before, after: asked, isRewritten, isMoved: false, moved: [] }
  const [from, to] = [pathOf(row), pathOf(updated)]
  await takePath(tx, kind, updated)
  const moved =
    from !== null && to !== null && kind.type === 'page' ? await moveBelow(tx, row.space_id, from, to) : []
  return { row: updated, before, after: asked, isMoved: true, moved }
}

/** ZIP's zero, in any time zone: what has no date there is dated 1 January 1980. */
const minDate = Date.UTC(1980, 0, 2)

/** The dates that may be true: one in the future would stay above all that is written later. */
function datesOf({ written }: { written?: Written | undefined }, { now }: Calendar): Record<string, unknown> {
  const isCredible = (date: string) => Date.parse(date) >= minDate && Date.parse(date) <= now().getTime()
  return Object.fromEntries(Object.entries(written ?? {}).filter(([, date]) => isCredible(date)))
}

/** The columns that a canvas's content is in. */
function contentOf(row: EntityRow, { text, original }: { text: string; original: Buffer }) {
  const metadata = { ...(row.metadata as object), size: original.length }
  return { text, original, sha256: createHash('sha256').update(original).digest('hex'), metadata }
}

async function setDeleted(
  tx: Queryable,
  { kind, write, actor, calendar }: Order<WriteOf<'delete' | 'restore'>>,
): Promise<StoredChange> {
  const deleting = write.action === 'delete'
  const row = await lockAtVersion(tx, kind, write, !deleting)
  const deleted_at = deleting ? calendar.now().toISOString() : null
  const path = deleting ? null : pathOf(row)
  const placed = path === null ? {} : { path: await freePath(tx, { ...row, path }) }
  const updated = await createEntitiesRepo(tx).update(kind, row, { deleted_at, ...placed }, actorName(actor))
  if (deleting) await createNamesRepo(tx).removePathKey(placeOf(kind, row))
  else await takePath(tx, kind, updated)
  return {
    isMoved: false,
    moved: [],
    row: updated,
    before: { deleted_at: row.deleted_at },
    after: { deleted_at: updated.deleted_at },
  }
}

async function lockAtVersion(
  tx: Queryable,
  kind: Kind,
  write: { space_id: string; id: string; version: number | null; save_id?: string | undefined },
  deleted: boolean,
): Promise<EntityRow> {
  const row = await createEntitiesRepo(tx).lock(kind, write.space_id, write.id)
  if (!row || (row.deleted_at !== null) !== deleted) throw notFound(kind.label, write.id)
  if (write.version === null || row.version === write.version) return row

  throw conflict(
    'stale_version',
    `The ${kind.label} ${row.id} has changed since version ${write.version}; it is now at version ${row.version}.`,
    { current: row, ...(await findSave(tx, write)) },
  )
}

/** Whether the save was applied before: as what version, and the fields that it changed. */
async function findSave(
  tx: Queryable,
  write: { space_id: string; id: string; version: number | null; save_id?: string | undefined },
) {
  const { version, save_id } = write
  const saved = save_id && version !== null && (await createAuditRepo(tx).findSave(write, version, save_id))
  return saved ? { saved } : {}
}

type References = {
  kind: Kind
  space_id: string
  /** Null: the entity is new. It has nothing below it yet, so it cannot end up below itself. */
  id: string | null
  fields: Record<string, unknown>
}

/**
 * Whether the entities that fields refer to exist in the Space. Throws `AppError`: 409 `missing_reference` for one that
 * does not, 400 for an entity below itself.
 */
async function checkReferences(
  tx: Queryable,
  kinds: Kinds,
  { kind, space_id, id, fields }: References,
): Promise<void> {
  const entities = createEntitiesRepo(tx)

  for (const [column, type] of Object.entries(kind.references)) {
    const target = fields[column]
    if (typeof target !== 'string') continue
    const targetKind = kinds.get(type)
    if (!(await entities.find(targetKind, space_id, target))) {
      throw conflict(
        'missing_reference',
        `${column}: there is no ${targetKind.label} ${target} in this Space.`,
        { field: column, entity_type: type, entity_id: target },
      )
    }
    if (id && type === kind.type && (await entities.isWithin(kind, space_id, column, target, id))) {
      throw invalid(`${column}: a ${kind.label} cannot be its own descendant.`, {
        details: { field: column },
      })
    }
  }
}
