import { v7 as uuid } from 'uuid'
import { type Actor, actorName } from '../../core/actor.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { slugOf } from '../../core/text/slug.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createSpacesRepo, type SpaceFields, type SpaceRow, type StoredSpace } from '../../db/repos/spaces.ts'

export type NewSpace = { name: string; slug?: string | undefined; description?: string | undefined }

/** Creates a Space. Throws a 409 `AppError` `slug_taken`; without a slug, a free one is derived from the name. */
export async function createSpace(database: Database, actor: Actor, space: NewSpace): Promise<SpaceRow> {
  return await transact(database, space.slug ?? '', (tx) => insertSpace(tx, actor, space))
}

/** Creates a Space unless there has been any; `null`: there has. */
export async function createFirstSpace(
  database: Database,
  actor: Actor,
  space: NewSpace,
): Promise<SpaceRow | null> {
  return await transact(database, space.slug ?? '', async (tx) =>
    (await createSpacesRepo(tx).any()) ? null : await insertSpace(tx, actor, space),
  )
}

/** The Space of that slug, created if there is none. */
export async function findOrCreateSpace(
  database: Database,
  actor: Actor,
  space: NewSpace & { slug: string },
): Promise<{ space: SpaceRow; created: boolean }> {
  return await transact(database, space.slug, async (tx) => {
    const existing = await createSpacesRepo(tx).findBySlug(space.slug)
    return { space: existing ?? (await insertSpace(tx, actor, space)), created: existing === null }
  })
}

async function insertSpace(tx: Queryable, actor: Actor, space: NewSpace): Promise<SpaceRow> {
  const { name, description = '', slug = await freeSlug(tx, name) } = space
  const row = await createSpacesRepo(tx).insert({
    id: uuid(),
    slug,
    name,
    description,
    actor: actorName(actor),
  })
  await audit(tx, actor, { action: 'create', row, before: null, after: { slug, name, description } })
  return row
}

/** Changes a Space. Throws `AppError`: 404, 409 `stale_version`, 409 `slug_taken`. */
export async function updateSpace(
  database: Database,
  actor: Actor,
  { id, version, fields }: { id: string; version: number; fields: Partial<SpaceFields> },
): Promise<SpaceRow> {
  return await transact(database, fields.slug ?? '', async (tx) => {
    const current = await lockAtVersion(tx, id, version)
    if (current.deleted_at !== null) throw notFound('Space', id)
    const next = {
      slug: fields.slug ?? current.slug,
      name: fields.name ?? current.name,
      description: fields.description ?? current.description,
      color: fields.color ?? current.color,
      emoji: fields.emoji ?? current.emoji,
      line_breaks: fields.line_breaks ?? current.line_breaks,
      instructions: fields.instructions ?? current.instructions,
    }
    return await storeSpace(tx, actor, { current, next: { ...next, deleted_at: null } })
  })
}

/** Shows single line breaks of its texts as breaks, or not, unless that was chosen before. */
export async function suggestLineBreaks(
  database: Database,
  actor: Actor,
  { id, line_breaks }: { id: string; line_breaks: boolean },
): Promise<void> {
  await transact(database, '', async (tx) => {
    const current = await createSpacesRepo(tx).lock(id)
    if (!current || current.deleted_at !== null || current.line_breaks !== null) return
    await storeSpace(tx, actor, { current, next: { ...current, line_breaks } })
  })
}

/** Moves a Space to the trash (`deletedAt` set) or restores it. `version` null: whichever it is at. */
export async function setSpaceDeleted(
  database: Database,
  actor: Actor,
  { id, version, deletedAt }: { id: string; version: number | null; deletedAt: string | null },
): Promise<SpaceRow> {
  return await transact(database, '', async (tx) => {
    const current = await lockAtVersion(tx, id, version)
    if ((current.deleted_at === null) === (deletedAt === null)) throw notFound('Space', id)
    return await storeSpace(tx, actor, { current, next: { ...current, deleted_at: deletedAt } })
  })
}

const spaceFields = [
  'slug',
  'name',
  'description',
  'color',
  'emoji',
  'line_breaks',
  'instructions',
  'deleted_at',
] as const

type StoredFields = Pick<StoredSpace, (typeof spaceFields)[number]>

/** Stores what differs, with its audit row. The caller holds the row's lock; a taken slug is a unique violation. */
export async function storeSpace(
  tx: Queryable,
  actor: Actor,
  { current, next, undoes }: { current: StoredSpace; next: StoredFields; undoes?: number },
): Promise<SpaceRow> {
  const changed = spaceFields.filter((key) => next[key] !== current[key])
  if (changed.length === 0) {
    const { instructions, ...row } = current
    return row
  }

  const row = await createSpacesRepo(tx).update(current.id, next, actorName(actor))
  const pick = (from: StoredFields) => Object.fromEntries(changed.map((key) => [key, from[key]]))
  const trashed = changed.includes('deleted_at')
  await audit(tx, actor, {
    action: trashed ? (next.deleted_at ? 'delete' : 'restore') : 'update',
    row,
    before: pick(current),
    after: pick({ ...row, instructions: next.instructions }),
    undoes: undoes ?? null,
  })
  return row
}

/** Every writer of Spaces holds the audit chain's lock, so a slug that is free stays free until the commit. */
async function transact<Result>(
  database: Database,
  slug: string,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      await createAuditRepo(tx).lock()
      return await work(tx)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'spaces_slug')) throw error
    throw conflict('slug_taken', `Another Space already has ${slug ? `the slug ${slug}` : 'its slug'}.`)
  }
}

async function lockAtVersion(tx: Queryable, id: string, version: number | null): Promise<StoredSpace> {
  const row = await createSpacesRepo(tx).lock(id)
  if (!row) throw notFound('Space', id)
  if (version === null || row.version === version) return row
  throw conflict('stale_version', `The Space ${id} is now at version ${row.version}.`, { current: row })
}

async function audit(
  tx: Queryable,
  actor: Actor,
  change: {
    action: string
    row: SpaceRow
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    undoes?: number | null
  },
): Promise<void> {
  await createAuditRepo(tx).append({
    space_id: change.row.id,
    actor: actorName(actor),
    action: change.action,
    entity_type: 'space',
    entity_id: change.row.id,
    version: change.row.version,
    before: change.before,
    after: change.after,
    pending_change_id: null,
    undoes: change.undoes ?? null,
  })
}

const maxSlugLength = 60

async function freeSlug(tx: Queryable, name: string): Promise<string> {
  const base = slugOf(name, maxSlugLength) || 'space'
  for (let suffix = 1; suffix <= 100; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`
    if (!(await createSpacesRepo(tx).findBySlug(slug))) return slug
  }
  return `${base}-${uuid().slice(-12)}`
}
