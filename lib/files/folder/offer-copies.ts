// Copies that other programs made of a conflict, such as `a.sync-conflict-….md`: each is a conflict of its note, with its text
// as a draft beside the page, and no page of its own. The file of the copy is left to whoever made it.

import { AppError } from '../../core/errors.ts'
import { pathKey } from '../../core/text/paths.ts'
import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import type { FolderEntry } from '../../db/repos/folders.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { maxNoteBytes, readNoteText } from '../vault/note-bytes.ts'
import { codeOf, type FileStat, isOfDisk } from './disk/disk.ts'
import { readStill } from './disk/safe-write.ts'
import type { Held, Scan } from './disk/scan.ts'
import { enterAsFolder, folderAgent } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'
import { isQuiet } from './look-at-files.ts'
import { isOrdersFile, noteOfCopy } from './plan/ignore-rules.ts'

/** Copies that a pass reads; the others wait until some of these are gone. */
const maxCopies = 50

type Offers = { held: Held[]; offered: number; unsettled: boolean }

/** `entries`: what is known of the notes; null: that has just changed, and nothing is offered yet. */
export async function offerCopies(
  pass: Pass,
  { copies }: Scan,
  entries: readonly FolderEntry[] | null,
): Promise<Offers> {
  const offers: Offers = { held: [], offered: 0, unsettled: false }
  const byKey = new Map((entries ?? []).map((entry) => [pathKey(entry.path), entry]))
  let read = 0
  for (const [path, stat] of copies) {
    const note = byKey.get(pathKey(noteOfCopy(path)!))
    const hold = (reason: string) => offers.held.push({ path, reason })
    if (entries !== null && !note?.page_id) hold('is a copy of a conflict, and its note is not there')
    else hold(`is a copy of a conflict of ${note?.path ?? noteOfCopy(path)}`)
    if (!note?.page_id || isOrdersFile(note.path) || read >= maxCopies) continue
    read += 1
    if (!isQuiet(pass, path, stat)) offers.unsettled = true
    else if (await offerCopy(pass, { path, stat, note })) offers.offered += 1
  }
  return offers
}

/** Whether a draft was made: not for a text that the page had, or that was asked about. */
async function offerCopy(
  pass: Pass,
  { path, stat, note }: { path: string; stat: FileStat; note: FolderEntry },
): Promise<boolean> {
  const { database, folder } = pass
  const [pages, page_id] = [createFolderPagesRepo(database, folder.space_id), note.page_id!]
  const [page] = await pages.read([page_id])
  const text = await readCopy(pass, path, stat)
  if (!page || text === null || text === page.body) return false
  if ((await pages.hasHad(page_id, text)) || (await pages.hasAsked(page_id, text, folderAgent.id)))
    return false
  const of = { space_id: folder.space_id, agent_id: folderAgent.id, entity_type: 'page', entity_id: page_id }
  // What else of the folder waits for this page comes first; a draft would take its place.
  if ((await createPendingChangesRepo(database).listWaiting(of)).length > 0) return false
  try {
    await pass.proposeChange(await enterAsFolder(database), {
      ...{ space_id: folder.space_id, entity_type: 'page', entity_id: page_id, version: page.version },
      action: 'update',
      payload: { body: text },
      reason: `${path} is a copy that another program made when it found two texts of ${note.path}. This draft is the copy’s text; reject it to keep the page’s.`,
      turn: null,
      tool_use_id: null,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    pass.logger.info({ err: error, path }, 'folder: copy not offered')
    return false
  }
  await createFolderLogRepo(database, folder.id).append(pass.now(), {
    ...{ side: 'page', action: 'conflict', path, page_id, page_version: page.version },
  })
  return true
}

async function readCopy({ disk, held }: Pass, path: string, stat: FileStat): Promise<string | null> {
  if (stat.size > maxNoteBytes) return null
  try {
    const still = await readStill(disk, path)
    return still && readNoteText(still.bytes).text
  } catch (error) {
    if (!isOfDisk(error)) throw error
    held.push({ path, reason: `cannot be read (${codeOf(error)})` })
    return null
  }
}
