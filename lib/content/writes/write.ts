// The one way anything changes: the owner's edits, approved drafts, undos and imports all go through `write`. In the
// caller's transaction it compares versions and stores the row (store-entity.ts), updates names, links, properties and the
// search index, appends the audit row, and turns the links to what was renamed (follow-renames.ts). The audit chain's lock,
// which every writer shares, is taken first, so that writers queue and cannot deadlock.

import { type EntityRow, type Kind, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { actorName } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { dendronFile } from '../../core/text/links/label-first.ts'
import { baseName, folderOf, foldName, pathKey } from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createPagePropertiesRepo } from '../../db/repos/derived.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import type { PlacedEntity } from '../../db/repos/names.ts'
import { maxIndexedAtOnce } from '../../search/index-document.ts'
import type { Search } from '../../search/search.ts'
import { createLinkIndex } from '../links/link-index.ts'
import { updatePageData } from '../properties/page-data.ts'
import { followRenames } from './follow-renames.ts'
import { createFolders, pathOf } from './place-entity.ts'
import { type EntityWrite, storeEntity, type Write } from './store-entity.ts'

export type Writer = {
  /**
   * Applies one write in the caller's transaction and returns the row as it is afterwards. An update that changes
   * nothing returns the row as it was, without a new version. Links to what is renamed follow, as writes of their own
   * (follow-renames.ts).
   *
   * Throws `AppError`: 400 for fields that do not fit the kind, 404 for an absent entity, 409 `stale_version` (with
   * `details.current`, and `details.saved` where this very save was applied before) for another version than the one named, 409 `missing_reference` for a reference to nothing.
   */
  write: Write
}

/** The search index as writes change it. */
export type IndexWrites = Pick<Search, 'index' | 'defer' | 'remove'>

type WriterDeps = {
  kinds: Kinds
  search: IndexWrites
  calendar: Calendar
  /** Called once for each write after its commit. Must not throw. Default: nobody is told. */
  onWrite?: (write: Written) => void
}

/** A write that was committed. */
export type Written = {
  kind: string
  id: string
  space_id: string
  version: number
  action: EntityWrite['action']
}

/**
 * Called before the owner changes pages, outside of a transaction: a page whose file in a folder in step changed meanwhile
 * gets that text first, and so a version that the change is not for.
 */
export type LookFirst = (space_id: string, page_ids: readonly string[]) => Promise<void>

export function createWriter(deps: WriterDeps): Writer {
  const write: Write = async (tx, write, context) => await writeOne(deps, tx, write, context)
  return { write: followRenames(write, deps.kinds) }
}

async function writeOne(deps: WriterDeps, ...[tx, write, context]: Parameters<Write>): Promise<EntityRow> {
  const { kinds, search, calendar, onWrite = () => {} } = deps
  const kind = kinds.get(write.type)
  await createAuditRepo(tx).lock()
  const restores = context.undoes !== undefined
  const { type, space_id } = write
  await createFolders(tx, write, (fields) =>
    writeOne(deps, tx, { action: 'create', type, space_id, fields }, context),
  )
  const change = await storeEntity(tx, { kinds, kind, write, actor: context.actor, calendar, restores })
  const row = change ? change.row : await findCurrent(tx, kind, write)
  const { id, version } = row
  tx.afterCommit(() => onWrite({ kind: kind.type, id, space_id, version, action: write.action }))
  if (!change) return row

  if (!kind.internal) {
    await updateDerived(tx, search, {
      action: write.action,
      kind,
      row,
      changed: [...Object.keys(change.after ?? {}), ...(change.isRewritten ? [kind.bodyField] : [])],
      formerPaths: write.action === 'create' ? write.formerPaths : undefined,
      isMoved: change.isMoved,
      moved: change.moved,
    })
  }
  await createAuditRepo(tx).append({
    space_id: write.space_id,
    actor: actorName(context.actor),
    action: write.action,
    entity_type: kind.type,
    entity_id: row.id,
    version: row.version,
    before: change.before,
    after: change.after,
    pending_change_id: context.pendingChangeId ?? null,
    undoes: context.undoes?.seq ?? null,
    undoes_since: context.undoes?.since ?? null,
    save_id: (write.action === 'update' && write.save_id) || null,
  })
  return row
}

async function findCurrent(tx: Queryable, kind: Kind, write: EntityWrite): Promise<EntityRow> {
  const row = write.id && (await createEntitiesRepo(tx).find(kind, write.space_id, write.id))
  if (!row) throw notFound(kind.label, write.id ?? '')
  return row
}

type StoredWrite = {
  action: EntityWrite['action']
  kind: Kind
  /** As it is after the write. */
  row: EntityRow
  /** The names of the fields that changed. */
  changed: readonly string[]
  /** Of a created entity: paths by which links referred to it before. */
  formerPaths: readonly string[] | undefined
  /** Whether it has another path than before. */
  isMoved: boolean
  /** What moved with it. */
  moved: readonly PlacedEntity[]
}

/** Updates what is computed from an entity's text, after a write of it: names, links, properties and the search index. */
async function updateDerived(tx: Queryable, search: IndexWrites, write: StoredWrite): Promise<void> {
  const { action, kind, row } = write
  const place = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
  const text = kind.searchText(row)
  const links = createLinkIndex(tx)
  const { formerPaths, isMoved, moved } = write
  const entity = { title: titleOf(row), text, path: pathOf(row), formerPaths }

  if (action !== 'update' || isMoved) await followDendron(tx, row)
  if (action === 'delete') {
    await links.remove(place)
    if (kind.type === 'page') await createPagePropertiesRepo(tx).remove(row.space_id, row.id)
    await search.remove(tx, row.id)
    return
  }
  if (action === 'update' && isMoved && !changesText(write)) await links.rename(place, entity, true)
  if (moved.length > 0) await links.move(row.space_id, moved)
  if (action === 'update' && !changesText(write)) return
  if (action === 'restore') await links.restore(place, entity)
  else if (action === 'create') await links.create(place, entity)
  else await links.update(place, entity, isMoved)
  if (kind.type === 'page') await updatePageData(tx, row)
  const document = { ...place, title: titleOf(row), text }
  if (text.length > maxIndexedAtOnce) await search.defer(tx, document)
  else await search.index(tx, document)
}

/** Where Dendron's own file comes or goes, the notes below it are read again. */
async function followDendron(tx: Queryable, row: EntityRow): Promise<void> {
  const path = pathOf(row)
  if (path === null || foldName(baseName(path)) !== dendronFile) return
  await createLinksRepo(tx).forgetReading(row.space_id, pathKey(folderOf(path)))
}

// Statuses and dates are neither searched nor linked; every other field may be.
function changesText({ kind, changed }: StoredWrite): boolean {
  const unindexed = new Set([
    ...Object.keys(kind.references),
    kind.statusField,
    'position',
    'path',
    'due_on',
    'priority',
    'recurrence',
    'remind_at',
  ])
  return changed.some((name) => !unindexed.has(name))
}
