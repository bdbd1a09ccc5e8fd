// Two texts of one note: merged where they changed different lines; else the file stays, the page stays, and the owner
// decides on a draft, as they do on a deletion that a change outweighed.

import { mergeInThread } from '../../changes/compare-drafts.ts'
import { findPastFields } from '../../content/writes/history.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import { AppError } from '../../core/errors.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo } from '../../db/repos/folders.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { hashOf } from '../vault/note-bytes.ts'
import { enterAsFolder, folderAgent, isOverLimit, overLimit } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'
import { entryOf, type Task } from './folder-task.ts'

export type MergedNote = {
  /** The page had the file's text before: the page is the newer one. */
  isKnown: boolean
  /** The owner decides. */
  offer: boolean
  text: string | null
}

const known: MergedNote = { isKnown: true, offer: false, text: null }
const offered: MergedNote = { isKnown: false, offer: true, text: null }

export async function mergeNote(pass: Pass, task: Task, fileText: string): Promise<MergedNote> {
  const { database, kinds, threads, folder } = pass
  const kind = kinds.get('page')
  const row = await createEntitiesRepo(database).find(kind, folder.space_id, task.page!.id)
  if (!row) return offered
  const base = await findBase(pass, task, row)
  if (base === null) {
    const hasHad = await createFolderPagesRepo(database, folder.space_id).hasHad(row.id, fileText)
    return hasHad ? known : offered
  }
  const merged = await mergeInThread(threads, {
    bodyField: 'body',
    base: { body: base },
    current: { body: row.body },
    payload: { body: fileText },
  })
  if (merged.conflicts.length > 0) return offered
  return { isKnown: false, offer: false, text: textOf(merged.payload.body ?? row.body) }
}

/** The text that both had; null where that cannot be known. */
async function findBase(
  { database, kinds }: Pass,
  { entry, plan }: Task,
  row: EntityRow,
): Promise<string | null> {
  if (plan.step?.do !== 'merge' || entry?.page_version == null) return null
  const past = await findPastFields(database, kinds.get('page'), row, {
    version: entry.page_version,
    fields: ['body'],
  })
  const text = past ? textOf(past.body) : null
  return text !== null && hashOf(text) === entry.base_text ? text : null
}

export const conflictReason = (path: string): string =>
  `${path} changed in the folder where the page changed too. This draft is the file’s text; reject it to keep the page’s.`

/** Stores the file's text as a draft, and that these two texts wait for what becomes of it. */
export async function offerConflict(pass: Pass, task: Task, text: string): Promise<boolean> {
  const { database, folder, proposeChange, logger } = pass
  const page = task.page!
  try {
    const draft = await proposeChange(await enterAsFolder(database), {
      space_id: folder.space_id,
      entity_type: 'page',
      entity_id: page.id,
      action: 'update',
      version: page.version,
      payload: { body: text },
      reason: conflictReason(task.path),
      turn: null,
      tool_use_id: null,
    })
    await database.transaction(async (tx) => {
      await createFolderEntriesRepo(tx, folder.id).save(
        entryOf(task, {
          waiting_file: task.file!.text,
          waiting_page: page.text,
          pending_change_id: draft.id,
        }),
      )
      await createFolderLogRepo(tx, folder.id).append(pass.now(), {
        side: 'page',
        action: 'conflict',
        path: task.path,
        page_id: page.id,
        page_version: page.version,
      })
    })
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    logger.info({ err: error, path: task.path }, 'folder: conflict not offered')
    const reason = isOverLimit(error) ? overLimit : `changed on both sides, and not drafted: ${error.message}`
    pass.held.push({ path: task.path, reason })
    return false
  }
}

/** Of what a change brought back, after it was deleted, the deletion as a draft; also where a process ended before it. */
export async function offerDeletions(pass: Pass): Promise<{ offered: number }> {
  const { database, folder, memory, held } = pass
  if (!memory.owesDeletions) return { offered: 0 }
  memory.owesDeletions = false
  const owed = await createFolderLogRepo(database, folder.id).listOwedDeletions(folderAgent.id)
  let offered = 0
  for (const { page_id, path, side } of owed) {
    const wait = (reason: string) => {
      held.push({ path, reason })
      memory.owesDeletions = true
    }
    const of = {
      space_id: folder.space_id,
      agent_id: folderAgent.id,
      entity_type: 'page',
      entity_id: page_id,
    }
    const waiting = await createPendingChangesRepo(database).listWaiting(of)
    // A draft would take its place.
    if (waiting.some(({ action }) => action !== 'delete')) {
      wait('was deleted on one side, which is drafted once you have decided on its other draft')
      continue
    }
    const [where, changed] =
      side === 'file' ? ['the folder', 'its page changed'] : ['Void', 'it changed in the folder']
    try {
      await pass.proposeChange(await enterAsFolder(database), {
        ...{ space_id: folder.space_id, entity_type: 'page', entity_id: page_id },
        action: 'delete',
        reason: `${path} was deleted in ${where} while ${changed}, so it is back. Approve to delete it after all.`,
        turn: null,
        tool_use_id: null,
      })
      offered += 1
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      if (isOverLimit(error)) wait(overLimit)
      else pass.logger.info({ err: error, path }, 'folder: deletion not offered')
    }
  }
  return { offered }
}
