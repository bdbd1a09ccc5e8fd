// Two texts of one note: merged where they changed different lines; else the file stays, the page stays, and the owner
// decides on a draft.

import { mergeInThread } from '../../changes/compare-drafts.ts'
import { findPastFields } from '../../content/writes/history.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import { AppError } from '../../core/errors.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo } from '../../db/repos/folders.ts'
import { hashOf } from './disk/note-bytes.ts'
import { enterAsFolder, folderAgent } from './folder-agent.ts'
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
export async function offerConflict(pass: Pass, task: Task, text: string): Promise<void> {
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
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    logger.info({ err: error, path: task.path }, 'folder: conflict not offered')
  }
}

/** A change outweighed a deletion: what was deleted is back, and the deletion is a draft. `where`: the side on which it was deleted. */
export async function offerDeletion(
  pass: Pass,
  { page_id, path, where }: { page_id: string; path: string; where: 'folder' | 'Void' },
): Promise<void> {
  const changed = where === 'folder' ? 'its page changed' : 'it changed in the folder'
  const pages = createFolderPagesRepo(pass.database, pass.folder.space_id)
  if (await pages.isDeletionDrafted(page_id, folderAgent.id)) return
  try {
    await pass.proposeChange(await enterAsFolder(pass.database), {
      space_id: pass.folder.space_id,
      entity_type: 'page',
      entity_id: page_id,
      action: 'delete',
      reason: `${path} was deleted in ${where === 'folder' ? 'the folder' : 'Void'} while ${changed}, so it is back. Approve to delete it after all.`,
      turn: null,
      tool_use_id: null,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    pass.logger.info({ err: error, path }, 'folder: deletion not offered')
  }
}
