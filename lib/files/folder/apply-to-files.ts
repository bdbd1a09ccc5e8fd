// Carries out what a plan asks of files: one at a time, each with an intent that is stored first.

import { v7 as uuid } from 'uuid'
import { folderOf } from '../../core/text/paths.ts'
import { createFolderLogRepo, type FolderLogLine } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo, type NoteBody } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, type FolderIntent } from '../../db/repos/folders.ts'
import { hashOf, writeNoteText } from '../vault/note-bytes.ts'
import { type Disk, isOfDisk } from './disk/disk.ts'
import {
  besideOf,
  carryOut,
  hashAt,
  place,
  readStill,
  replacedPath,
  settleIntent,
  type WriteResult,
} from './disk/safe-write.ts'
import type { Pass } from './folder-deps.ts'
import { isOutweighing, type Task } from './folder-task.ts'

/** Whether it was carried out. Throws errors of the disk, which end the pass. */
export async function applyToFile(pass: Pass, task: Task): Promise<boolean> {
  const { plan, page, file, entry } = task
  if (plan.move) return await run(pass, task, intentOf(task, 'move', { target: plan.move.to }), null)
  if (plan.step.do === 'delete')
    return await run(pass, task, intentOf(task, 'trash', { old_hash: file!.bytes }), null)
  const [note] = await createFolderPagesRepo(pass.database, pass.folder.space_id).read([page!.id])
  if (!note || note.version !== page!.version || hashOf(note.body) !== page!.text) return false
  const bytes = await bytesFor(pass, task, note)
  if (bytes === null) return false
  const intent = intentOf(task, 'write', {
    old_hash: file?.bytes ?? null,
    new_hash: hashOf(bytes),
    new_text: page!.text,
    page_id: page!.id,
    page_version: page!.version,
    entry_id: entry?.id ?? uuid(),
  })
  return await run(pass, task, intent, bytes)
}

function intentOf(
  { path, entry }: Task,
  kind: FolderIntent['kind'],
  changes: Partial<FolderIntent>,
): FolderIntent {
  return {
    id: uuid(),
    kind,
    entry_id: entry?.id ?? uuid(),
    path,
    target: null,
    old_hash: null,
    new_hash: null,
    new_text: null,
    page_id: null,
    page_version: null,
    withdraws: entry != null && entry.former_bytes !== null,
    ...changes,
  }
}

/** The text in the manner of the file that is there; of one that is not, as it was imported. */
async function bytesFor(
  { disk }: Pass,
  { path, file, entry }: Task,
  note: NoteBody,
): Promise<Uint8Array | null> {
  if (file === null) {
    const isOriginal = note.original !== null && note.original_of === hashOf(note.body)
    return isOriginal ? note.original : Buffer.from(note.body)
  }
  const still = await readStill(disk, path)
  if (!still || hashOf(still.bytes) !== file.bytes) return null
  const bytes = writeNoteText(still.bytes, note.body)
  const former = [
    note.original,
    Buffer.from(note.body),
    note.original && writeNoteText(note.original, note.body),
  ]
  return former.find((one) => one && hashOf(one) === entry?.former_bytes) ?? bytes
}

async function run(pass: Pass, task: Task, intent: FolderIntent, bytes: Uint8Array | null): Promise<boolean> {
  await createFolderEntriesRepo(pass.database, pass.folder.id).insertIntent(intent)
  let result: WriteResult
  try {
    result = await carryOut(pass.disk, intent, bytes)
  } catch (error) {
    if (!isOfDisk(error)) throw error
    // What can be put back is; else the next pass settles it, before it looks at anything.
    await finish(pass, intent, await settleIntent(pass.disk, intent))
    throw error
  }
  await finish(pass, intent, result, task)
  return result.done
}

/** Stores what a write has led to, with the end of its intent. */
async function finish(pass: Pass, intent: FolderIntent, result: WriteResult, task?: Task): Promise<void> {
  const { database, folder, memory, now } = pass
  await database.transaction(async (tx) => {
    const repo = createFolderEntriesRepo(tx, folder.id)
    await repo.removeIntent(intent.id)
    if (result.kept) await repo.keep({ ...intent, hash: intent.old_hash }, now())
    if (!result.done) return
    const entry = await repo.find(intent.entry_id)
    if (intent.kind === 'trash') await repo.remove([intent.entry_id])
    else if (intent.kind === 'move' && entry)
      await repo.save({
        ...entry,
        path: intent.target!,
        fingerprint: '',
        page_id: task?.page?.id ?? entry.page_id,
      })
    else if (intent.kind === 'write')
      await repo.save({
        id: intent.entry_id,
        path: intent.path,
        base_text: intent.new_text,
        file_text: intent.new_text,
        file_bytes: intent.new_hash,
        // Its next look sees whether anybody wrote since.
        fingerprint: '',
        identity: null,
        page_id: intent.page_id,
        page_version: intent.page_version,
        page_text: intent.new_text,
        waiting_file: null,
        waiting_page: null,
        pending_change_id: null,
        review_path: null,
        former_bytes: null,
      })
    const log = (action: FolderLogLine['action']) =>
      createFolderLogRepo(tx, folder.id).append(now(), {
        side: 'file',
        action,
        path: intent.target ?? intent.path,
        page_id: intent.page_id ?? entry?.page_id ?? null,
        page_version: intent.page_version,
      })
    await log(actionOf(intent))
    if (!isOutweighing(intent, entry)) return
    await log('outweighed')
    memory.owesDeletions = true
  })
  if (result.done && intent.kind !== 'write') await removeEmptyFolders(pass.disk, folderOf(intent.path))
}

const actionOf = ({ kind, old_hash }: FolderIntent): FolderLogLine['action'] =>
  kind === 'move' ? 'moved' : kind === 'trash' ? 'deleted' : old_hash === null ? 'created' : 'updated'

/** Folders whose last note left it. One that holds anything stays. */
async function removeEmptyFolders(disk: Disk, folder: string): Promise<void> {
  for (let left = folder; left !== ''; left = folderOf(left)) {
    try {
      await disk.removeFolder(left.slice(0, -1))
    } catch {
      return
    }
  }
}

/** Before anything else is looked at: what a crash or a failing disk left half done. */
export async function settleIntents(pass: Pass): Promise<void> {
  const intents = await createFolderEntriesRepo(pass.database, pass.folder.id).listIntents()
  for (const intent of intents) {
    try {
      await finish(pass, intent, await settleIntent(pass.disk, intent))
    } catch (error) {
      if (!isOfDisk(error)) throw error
      for (const path of [intent.path, intent.target]) if (path !== null) pass.unsettledPaths.add(path)
    }
  }
}

const secondLooksMs = [1000, 60_000]
const keptMs = 24 * 3_600_000

/** Looks again at what was moved aside: a program that still had it open may have written into it. */
export async function lookAtKept(pass: Pass): Promise<void> {
  const { database, folder, disk, now } = pass
  const repo = createFolderEntriesRepo(database, folder.id)
  for (const kept of await repo.listKept()) {
    const age = now().getTime() - Date.parse(kept.kept_at)
    const isOver = age >= (kept.withdraws ? secondLooksMs.at(-1)! : keptMs)
    const dueMs = secondLooksMs[kept.checks]
    if (!isOver && (dueMs === undefined || age < dueMs)) continue
    const aside = replacedPath(kept.id)
    const hash = await hashAt(disk, aside)
    if (hash !== null && hash !== kept.hash) {
      const beside = besideOf(kept.path)
      if (folderOf(beside) !== '') await disk.makeFolder(folderOf(beside).slice(0, -1))
      // After a crash the name may be there already.
      if (!(await place(disk, aside, beside)) && (await hashAt(disk, beside)) !== hash) continue
      await createFolderLogRepo(database, folder.id).append(now(), {
        side: 'file',
        action: 'kept',
        path: beside,
        page_id: null,
        page_version: null,
      })
      // A name of its own: what is written there later is another file.
      await repo.removeKept(kept.id)
      await disk.remove(aside)
    } else if (isOver) {
      await repo.removeKept(kept.id)
      await disk.remove(aside)
    } else await repo.updateKept(kept.id, hash, kept.checks + 1)
  }
}
