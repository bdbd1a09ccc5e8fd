// Two texts of one note: merged where they changed different lines; else the file stays, the page stays, and the owner
// decides on a draft.

import { mergeInThread } from '../../changes/compare-drafts.ts'
import { findPastFields } from '../../content/writes/history.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, createFoldersRepo } from '../../db/repos/folders.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { hashOf } from './disk/note-bytes.ts'
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

const folderAgent = {
  id: '00000000-0000-7000-8000-000000000003',
  slug: 'folder-in-step',
  name: 'Folder',
  capabilities: { read: false, suggest: true, write: false },
  scopes: { spaces: null },
} as const

const asFolder = (): AgentActor => ({
  kind: 'agent',
  agent_id: folderAgent.id,
  slug: folderAgent.slug,
  capabilities: folderAgent.capabilities,
  spaces: null,
})

/** Stores the file's text as a draft, and that these two texts wait for what becomes of it. */
export async function offerConflict(pass: Pass, task: Task, text: string): Promise<void> {
  const { database, folder, proposeChange, logger } = pass
  const page = task.page!
  await createAgentsRepo(database).insertOnce(folderAgent)
  try {
    const draft = await proposeChange(asFolder(), {
      space_id: folder.space_id,
      entity_type: 'page',
      entity_id: page.id,
      action: 'update',
      version: page.version,
      payload: { body: text },
      reason: `${task.path} changed in the folder where the page changed too. This draft is the file’s text; reject it to keep the page’s.`,
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
      await createFoldersRepo(tx).appendLog(folder.id, pass.now(), {
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

/** Drafts that the owner has decided on: from then on the page is what counts. */
export async function settleDecided({ database, folder }: Pass): Promise<void> {
  const repo = createFolderEntriesRepo(database, folder.id)
  for (const entry of await repo.listWaiting()) {
    const within = { space_ids: [folder.space_id], agent_id: null }
    const change = await createPendingChangesRepo(database).find(entry.pending_change_id!, within)
    if (change?.status === 'pending') continue
    const isDecided = change?.status === 'approved' || change?.status === 'rejected'
    await repo.save({
      ...entry,
      base_text: isDecided ? entry.waiting_file : entry.base_text,
      waiting_file: null,
      waiting_page: null,
      pending_change_id: null,
    })
  }
}
