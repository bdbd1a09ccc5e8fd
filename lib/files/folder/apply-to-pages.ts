// Carries out what a plan asks of pages: each in one transaction with the page's version, its audit row and what is known of
// the note. A page that has changed since it was looked at is left to the next plan.

import type { Written } from '../../content/writes/store-entity.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import { AppError } from '../../core/errors.ts'
import { folderOf, rankAsFolderNote, stemOf } from '../../core/text/paths.ts'
import type { Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createFolderLogRepo, type NewLogLine } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, type FolderEntry } from '../../db/repos/folders.ts'
import { createImportFilesRepo } from '../../db/repos/import_files.ts'
import { isClipping, positionIn, titleIn } from '../import/file/note-fields.ts'
import { isoTime } from '../import/file/notebook.ts'
import { hashOf, readNoteText } from '../vault/note-bytes.ts'
import { asTitle } from '../vault/paths.ts'
import { isOfDisk } from './disk/disk.ts'
import { readStill } from './disk/safe-write.ts'
import { folderActor, type Pass } from './folder-deps.ts'
import { entryOf, type Task } from './folder-task.ts'
import { type MergedNote, mergeNote, offerConflict } from './merge-note.ts'
import { noteLinks } from './offer-links.ts'
import { makeRoom, newTitle, removeEmptyFolder } from './page-places.ts'

const batchSize = 50
/** After this time the remaining ones get another transaction: the embedded database serves nobody else meanwhile. */
const maxTransactionMs = 50

/** How many were carried out. */
export async function applyToPages(pass: Pass, tasks: readonly Task[]): Promise<number> {
  let applied = 0
  for (let from = 0; from < tasks.length; from += batchSize) {
    let left = await Promise.all(tasks.slice(from, from + batchSize).map((task) => prepare(pass, task)))
    while (left.length > 0) {
      const { count, carriedOut } = await writeBatch(pass, left)
      if (count === 0) {
        // One of them cannot be written: each gets its own transaction.
        for (const one of left) applied += (await writeBatch(pass, [one])).carriedOut
        break
      }
      applied += carriedOut
      left = left.slice(count)
    }
  }
  return applied
}

/** A task with the text of its file, read again, and when that was changed. */
type Prepared = {
  task: Task
  text: string
  bytes: Uint8Array
  merged: MergedNote | null
  written?: Written | undefined
}

/** Null: it is not as it was planned for. */
async function prepare(pass: Pass, task: Task): Promise<Prepared | null> {
  const { step } = task.plan
  const needsText = step?.do === 'copy' || step?.do === 'merge' || step?.do === 'separate'
  if (!needsText) return { task, text: '', bytes: new Uint8Array(), merged: null }
  try {
    const still = await readStill(pass.disk, task.path)
    if (!still || hashOf(still.bytes) !== task.file?.bytes) return null
    const { text } = readNoteText(still.bytes)
    if (text === null) return null
    const merged = step.do === 'copy' ? null : await mergeNote(pass, task, text)
    const modified = isoTime(Number(still.stat.modifiedNs / 1_000_000n))
    const written = modified === null ? undefined : { created_at: modified, updated_at: modified }
    return { task, text, bytes: still.bytes, merged, written }
  } catch (error) {
    if (!isOfDisk(error)) throw error
    return null
  }
}

/** `count`: how many of the first were looked at; 0: the first transaction failed. */
async function writeBatch(
  pass: Pass,
  batch: readonly (Prepared | null)[],
): Promise<{ count: number; carriedOut: number }> {
  const started = performance.now()
  const offers: Prepared[] = []
  let count = 0
  try {
    await pass.database.transaction(async (tx) => {
      await createAuditRepo(tx).lock()
      const noted: Noted = { tx, entries: [], lines: [] }
      while (count < batch.length && (count === 0 || performance.now() - started < maxTransactionMs)) {
        const one = batch[count++]!
        if (one === null) continue
        if (one.merged?.offer) offers.push(one)
        else await applyOne(noted, pass, one)
      }
      await createFolderEntriesRepo(tx, pass.folder.id).save(...noted.entries)
      await createFolderLogRepo(tx, pass.folder.id).append(pass.now(), ...noted.lines)
    })
  } catch (error) {
    if (error instanceof AppError && (error.status === 503 || error.status === 507)) throw error
    const [only] = batch
    // A page that changed meanwhile is planned again.
    if (batch.length === 1 && only && !(error instanceof AppError && error.code === 'stale_version')) {
      pass.held.push({ path: only.task.path, reason: 'could not be stored' })
      pass.logger.warn({ err: error, path: only.task.path }, 'folder: page not written')
    }
    return { count: 0, carriedOut: 0 }
  }
  let carriedOut = batch.slice(0, count).filter((each) => each !== null).length
  for (const { task, text } of offers) if (!(await offerConflict(pass, task, text))) carriedOut -= 1
  return { count, carriedOut }
}

/** A transaction, and what is known of its notes and said of them afterwards: stored together, at its end. */
type Noted = { tx: Tx; entries: FolderEntry[]; lines: NewLogLine[] }

async function applyOne(noted: Noted, pass: Pass, prepared: Prepared): Promise<void> {
  const { task } = prepared
  const { plan } = task
  if (plan.move) return await applyMove(noted, pass, task)
  switch (plan.step.do) {
    case 'record':
      noted.entries.push(entryOf(task, { base_text: plan.step.text }))
      return
    case 'forget':
      return await createFolderEntriesRepo(noted.tx, pass.folder.id).remove([task.entry!.id])
    case 'copy':
      return await copyToPage(noted, pass, prepared)
    case 'delete':
      return await deletePage(noted, pass, task)
    default:
      return await applyMerge(noted, pass, prepared)
  }
}

const lineOf = (action: NewLogLine['action'], path: string, row: EntityRow): NewLogLine => ({
  ...{ side: 'page', action, path },
  page_id: row.id,
  page_version: row.version,
})

const context = { actor: folderActor }

async function applyMove({ tx, entries, lines }: Noted, pass: Pass, task: Task): Promise<void> {
  const { move } = task.plan
  const { id, version } = task.page!
  const space_id = pass.folder.space_id
  if (move!.side === 'both') {
    entries.push(keepBase(task, {}))
    return
  }
  await noteLinks(tx, pass, id)
  await makeRoom(tx, pass, move!.to, id)
  const fields = { path: move!.to }
  const row = await pass.writer.write(
    tx,
    { action: 'update', type: 'page', space_id, id, version, fields },
    context,
  )
  entries.push(keepBase(task, { page_version: row.version, page_text: hashOf(textOf(row.body)) }))
  lines.push(lineOf('moved', move!.to, row))
  await removeEmptyFolder(tx, pass, folderOf(move!.from))
}

/** A note that moved is still in step, or in conflict, as it was. */
function keepBase(task: Task, changes: Partial<FolderEntry>): FolderEntry {
  const { entry, plan } = task
  const path = plan.move!.to
  if (!entry) return entryOf(task, { path, ...changes })
  const { waiting_file, waiting_page, pending_change_id } = entry
  return entryOf(task, { path, waiting_file, waiting_page, pending_change_id, ...changes })
}

async function copyToPage(noted: Noted, pass: Pass, prepared: Prepared): Promise<void> {
  const { tx, entries, lines } = noted
  const { task, text, bytes, written } = prepared
  const row = task.page
    ? await updatePage(tx, pass, task.page, task, text)
    : task.isTrashed
      ? await restorePage(tx, pass, task, text)
      : await createPage(tx, pass, task, { text, written })
  await keepBytes(tx, pass, row, text, bytes)
  entries.push(entryOf(task, pageOf(row, { base_text: task.file!.text })))
  lines.push(lineOf(task.page ? 'updated' : task.isTrashed ? 'restored' : 'created', task.path, row))
  if (task.page || !task.isTrashed || task.entry!.base_text === null) return
  lines.push(lineOf('outweighed', task.path, row))
  pass.memory.owesDeletions = true
}

const pageOf = (row: EntityRow, changes: Partial<FolderEntry>): Partial<FolderEntry> => ({
  page_id: row.id,
  page_version: row.version,
  page_text: hashOf(textOf(row.body)),
  ...changes,
})

/** The bytes of the file, where the text does not give them again; and where the text is from. A page that was just made has both. */
async function keepBytes(tx: Tx, { folder }: Pass, row: EntityRow, text: string, bytes: Uint8Array) {
  const isPlain = Buffer.compare(Buffer.from(text), bytes) === 0
  if (row.version === 1 && isPlain) return
  const kept = { bytes: isPlain ? null : bytes, original_of: hashOf(text), read_as: null }
  await createImportFilesRepo(tx).keepBytes(row, kept)
  if (row.origin !== 'folder') await createFolderPagesRepo(tx, folder.space_id).markFromFolder(row.id)
}

/** With the title that the text gives itself, if that is another one than before. */
async function updatePage(
  tx: Tx,
  { writer, folder }: Pass,
  page: { id: string; version: number },
  { path }: Task,
  text: string,
): Promise<EntityRow> {
  const { space_id } = folder
  const [before] = await createFolderPagesRepo(tx, space_id).read([page.id])
  const title = newTitle(before?.body ?? '', text, path)
  const fields = { body: text, ...positionIn(text), ...(title !== null && { title }) }
  const { id, version } = page
  return await writer.write(
    tx,
    { action: 'update', type: 'page', space_id, id, version, fields, ...(title !== null && { path }) },
    context,
  )
}

async function restorePage(tx: Tx, pass: Pass, task: Task, text: string): Promise<EntityRow> {
  const { space_id } = pass.folder
  const id = task.entry!.page_id!
  await makeRoom(tx, pass, task.path, id)
  const restored = await pass.writer.write(
    tx,
    { action: 'restore', type: 'page', space_id, id, version: null },
    context,
  )
  return await updatePage(tx, pass, restored, task, text)
}

async function createPage(
  tx: Tx,
  pass: Pass,
  { path }: Task,
  { text, written }: Pick<Prepared, 'text' | 'written'>,
): Promise<EntityRow> {
  const { writer, folder } = pass
  const { space_id } = folder
  const bare = await makeRoom(tx, pass, path, null)
  const isInside = rankAsFolderNote(path) !== null && bare !== null
  const title = asTitle(titleIn(text, path) ?? stemOf(isInside ? folderOf(path) : path))
  const fields = { title, body: text, path, ...positionIn(text) }
  if (bare === null)
    return await writer.write(
      tx,
      {
        action: 'create',
        type: 'page',
        space_id,
        fields,
        origin: isClipping(text) ? 'web' : 'folder',
        written,
      },
      context,
    )
  // The page that stood for the folder gets its text.
  const { id, version } = bare
  const { path: _, ...rest } = fields
  return await writer.write(
    tx,
    { action: 'update', type: 'page', space_id, id, version, fields: rest, path, written },
    context,
  )
}

async function deletePage({ tx, lines }: Noted, pass: Pass, task: Task): Promise<void> {
  const { space_id } = pass.folder
  const { id, version } = task.page!
  const row = await pass.writer.write(tx, { action: 'delete', type: 'page', space_id, id, version }, context)
  await createFolderEntriesRepo(tx, pass.folder.id).remove([task.entry!.id])
  lines.push(lineOf('deleted', task.entry!.path, row))
}

/** The file's text becomes a version of the page, and what both changed the next one, which then goes to the file. */
async function applyMerge(noted: Noted, pass: Pass, { task, text, bytes, merged }: Prepared): Promise<void> {
  const { tx, entries, lines } = noted
  const page = task.page!
  if (merged!.isKnown) {
    entries.push(entryOf(task, { base_text: task.file!.text }))
    return
  }
  const taken = await updatePage(tx, pass, page, task, text)
  await keepBytes(tx, pass, taken, text, bytes)
  const row = await updatePage(tx, pass, taken, task, merged!.text!)
  entries.push(entryOf(task, pageOf(row, { base_text: task.file!.text })))
  lines.push(lineOf('updated', task.path, row))
}
