// Undoes a whole import, entity by entity, last first. Entities whose content is not what the import left stay, and so do
// pages with children that stay. What an earlier undo had to leave because of this import follows, so that imports of one
// source can be undone in any order.

import { findPastFields } from '../../../content/writes/history.ts'
import { changedFields } from '../../../content/writes/validate-fields.ts'
import type { Writer } from '../../../content/writes/write.ts'
import type { EntityRow, Kind } from '../../../contract/entities/kind.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { Database, Queryable, Tx } from '../../../db/pool.ts'
import { createAuditRepo } from '../../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import {
  createImportFilesRepo,
  createImportWritesRepo,
  type WrittenEntity,
} from '../../../db/repos/import_files.ts'
import {
  createImportJobsRepo,
  createImportOutcomesRepo,
  type ImportJobRow,
} from '../../../db/repos/import_jobs.ts'
import { createImportedConversationsRepo } from '../../../db/repos/imported_conversations.ts'
import { createMailImportsRepo } from '../../../db/repos/mail_folders.ts'
import { createMailJoinsRepo } from '../../../db/repos/mail_threads.ts'
import { createPageTreeRepo } from '../../../db/repos/page_tree.ts'

export type UndoImportDeps = { database: Database; kinds: Kinds; writer: Writer }

const context = { actor: { kind: 'system', name: 'import' } } as const
const perTransaction = 50

/** Idempotent: entities already undone are skipped. A few entities per transaction; ends early when `signal` aborts. */
export async function undoImport(
  deps: UndoImportDeps,
  job: ImportJobRow,
  signal: AbortSignal,
): Promise<void> {
  await undoWrites(deps, job, signal)
  for (const earlier of await createImportJobsRepo(deps.database).listUndoneInPart(job)) {
    await undoWrites(deps, earlier, signal, (one) => one.entity_type !== 'mail_message')
  }
}

async function undoWrites(
  deps: UndoImportDeps,
  job: ImportJobRow,
  signal: AbortSignal,
  isIncluded: (one: WrittenEntity) => boolean = () => true,
): Promise<void> {
  let before: number | null = null
  for (;;) {
    const written = await createImportWritesRepo(deps.database).listEntities(job.id, before, perTransaction)
    const last = written.at(-1)
    if (!last || signal.aborted) return
    await deps.database.transaction((tx) => undoAll(tx, deps, job, written.filter(isIncluded)))
    before = last.first_seq
  }
}

async function undoAll(tx: Tx, deps: UndoImportDeps, job: ImportJobRow, written: readonly WrittenEntity[]) {
  await createAuditRepo(tx).lock()
  for (const one of written) {
    const outcome = await undoOne(tx, deps, job, one)
    await createImportOutcomesRepo(tx).markUndone(job.id, [one.entity_id], outcome)
  }
}

const changed = 'kept: it has changed since'

async function undoOne(
  tx: Tx,
  { kinds, writer }: UndoImportDeps,
  job: ImportJobRow,
  one: WrittenEntity,
): Promise<string> {
  const { entity_type: type, entity_id: id, first_action, last_action } = one
  if (type === 'mail_message') return await undoMessage(tx, job, id)
  if (type === 'conversation') return await undoConversation(tx, job, one)
  const kind = kinds.get(type)
  const { space_id, source } = job
  const files = createImportFilesRepo(tx)
  const writes = createImportWritesRepo(tx)
  const row = await createEntitiesRepo(tx).lock(kind, space_id, id)
  if (!row) return 'it is gone'
  if (first_action === 'create' && row.deleted_at !== null) {
    if (await writes.isReplaced(job, id, row.version)) return changed
    await files.forgetEntities(space_id, source, [id])
    return 'undone'
  }
  if (!(await isAsLeft(tx, kind, row, one))) return changed

  const name = { type, space_id, id, version: row.version }
  const pair = await writes.findPair(job.id, id)
  if (last_action === 'delete') {
    if (pair && !(await createImportOutcomesRepo(tx).isUndone(job.id, pair.made))) return changed
    const restored = await writer.write(tx, { action: 'restore', ...name }, context)
    if (pair) await files.reassign(job, pair.made, asFile(type, restored))
    return 'undone'
  }
  if (first_action === 'create') {
    if (type === 'page' && (await createPageTreeRepo(tx).listBelow(space_id, [id], 1)).length > 0) {
      return 'kept: other pages are below it'
    }
    await writer.write(tx, { action: 'delete', ...name }, context)
    // Restores the mapping it replaced.
    if (!pair) await files.forgetEntities(space_id, source, [id])
    return 'undone'
  }
  const fields = await writes.findBefore(job.id, space_id, id)
  // It is nobody's writing: what was written last does not change.
  const written = { updated_at: row.updated_at }
  const restored = await writer.write(tx, { action: 'update', ...name, fields, written }, context)
  await files.reassign(job, id, asFile(type, restored))
  return 'undone'
}

/** Whether an entity has the content that the import left it with, whatever was changed and changed back since. */
async function isAsLeft(
  tx: Queryable,
  kind: Kind,
  row: EntityRow,
  { last_action, version }: WrittenEntity,
): Promise<boolean> {
  if ((row.deleted_at !== null) !== (last_action === 'delete')) return false
  if (row.version === version) return true
  const fields = Object.keys(kind.fields.shape)
  const left = await findPastFields(tx, kind, row, { version, fields })
  return left !== null && Object.keys(changedFields(row, left)).length === 0
}

/** A message that is also in a mailbox stays there. */
async function undoMessage(tx: Queryable, { space_id }: ImportJobRow, id: string): Promise<string> {
  await createMailJoinsRepo(tx).lockSpace(space_id)
  const undone = await createMailImportsRepo(tx).undo(space_id, id)
  if (!undone) return 'it is gone'
  await createMailJoinsRepo(tx).summarize([undone.thread_id])
  return undone.removed ? 'undone' : 'kept: a mailbox has it, too'
}

/** A thread that an earlier import brought in keeps what this one added: what it was before is not stored. */
async function undoConversation(
  tx: Queryable,
  { space_id }: ImportJobRow,
  { entity_id: id, first_action }: WrittenEntity,
): Promise<string> {
  if (first_action !== 'create') return 'kept: an earlier import brought it in'
  const conversations = createImportedConversationsRepo(tx)
  if (!(await conversations.undo(space_id, id))) return 'it is gone'
  await conversations.forgetKey(id)
  return 'undone'
}

const asFile = (entity_type: string, { id, version }: EntityRow) => ({ entity_type, entity_id: id, version })
