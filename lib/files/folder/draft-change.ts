// Review: what somebody changed in the folder becomes a draft. Until the owner decides, the page and the file stay as they
// are; the decision counts for both (settle-drafts.ts).

import { v7 as uuid } from 'uuid'
import type { Proposal } from '../../changes/propose/proposal.ts'
import { AppError } from '../../core/errors.ts'
import { stemOf } from '../../core/text/paths.ts'
import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, type FolderEntry } from '../../db/repos/folders.ts'
import { positionIn, titleIn } from '../import/file/note-fields.ts'
import { hashOf, readNoteText } from '../vault/note-bytes.ts'
import { asTitle } from '../vault/paths.ts'
import { isOfDisk } from './disk/disk.ts'
import { readStill } from './disk/safe-write.ts'
import { asFolder, enterAsFolder, folderAgent, isOverLimit, overLimit } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'
import { entryOf, type Task } from './folder-task.ts'
import { conflictReason, mergeNote } from './merge-note.ts'
import { newTitle } from './page-places.ts'

/** Files that change within this time are one changeset. */
const changesetMs = 60_000
/** More than these are hard to look through as one. */
const maxInChangeset = 50

/** The change as a proposal, without what all have alike. */
type Change = Pick<Proposal, 'action' | 'payload' | 'reason'>

/** Whether it was done. A file that changed since it was planned is left to the next pass. */
export async function draftChange(pass: Pass, task: Task): Promise<boolean> {
  const text = await readText(pass, task)
  if (text === null) return false
  const change = await describeChange(pass, task, text)
  if (change === 'known') {
    await saveEntry(pass, entryOf(task, { base_text: task.file!.text }))
    return true
  }
  if (!(await withdrawDraft(pass, task.entry))) return false
  // That of a process that ended before it noted its draft.
  const pages = createFolderPagesRepo(pass.database, pass.folder.space_id)
  const stray = change.action === 'create' ? await pages.findStrayDraft(task.path, folderAgent.id) : null
  try {
    const draft = await pass.proposeChange(await enterAsFolder(pass.database), {
      ...change,
      space_id: pass.folder.space_id,
      entity_type: 'page',
      ...(stray !== null && { supersedes: stray }),
      ...(task.page && { entity_id: task.page.id, version: task.page.version }),
      given: givenBy(pass, task, text),
      changeset_id: nextChangeset(pass),
      repeats: true,
      turn: null,
      tool_use_id: null,
    })
    await saveDrafted(pass, task, draft.id)
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    pass.held.push({
      path: task.path,
      reason: isOverLimit(error) ? overLimit : `cannot be reviewed: ${error.message}`,
    })
    return false
  }
}

/** The file's text; `''` for one that is gone; null: it is not as it was planned for. */
async function readText({ disk }: Pass, { file, plan }: Task): Promise<string | null> {
  if (file === null || plan.file === null) return ''
  try {
    const still = await readStill(disk, plan.file.path)
    return still && hashOf(still.bytes) === file.bytes ? readNoteText(still.bytes).text : null
  } catch (error) {
    if (!isOfDisk(error)) throw error
    return null
  }
}

/** `known`: the page had the file's text before, and is the newer one. */
async function describeChange(pass: Pass, task: Task, text: string): Promise<Change | 'known'> {
  const { plan, page, path } = task
  if (plan.move) {
    const { from, to } = plan.move
    const body = task.file!.text === page!.text ? {} : { body: text }
    return { action: 'update', payload: { path: to, ...body }, reason: `Moved in the folder, from ${from}.` }
  }
  if (plan.step.do === 'delete')
    return { action: 'delete', payload: {}, reason: `${path} was deleted in the folder.` }
  if (page === null) {
    const title = asTitle(titleIn(text, path) ?? stemOf(path))
    const payload = { title, body: text, path, ...positionIn(text) }
    return { action: 'create', payload, reason: `${path} is new in the folder.` }
  }
  const changed = `${path} changed in the folder.`
  if (plan.step.do === 'copy') {
    const payload = { body: text, ...positionIn(text), ...(await retitle(pass, page.id, text, path)) }
    return { action: 'update', payload, reason: changed }
  }
  const merged = await mergeNote(pass, task, text)
  if (merged.isKnown) return 'known'
  if (!merged.offer)
    return { action: 'update', payload: { body: merged.text! }, reason: `${changed} Its page changed, too.` }
  return { action: 'update', payload: { body: text }, reason: conflictReason(path) }
}

/** A title that the note says anew; its file stays where it is. */
async function retitle({ database, folder }: Pass, pageId: string, text: string, path: string) {
  const [page] = await createFolderPagesRepo(database, folder.space_id).read([pageId])
  const title = newTitle(page?.body ?? '', text, path)
  return title === null || title === page?.title ? {} : { title, path }
}

function givenBy({ folder }: Pass, { path, plan }: Task, text: string): Proposal['given'] {
  const name = plan.file?.path ?? path
  const found = [{ title: name, texts: [text] }, ...folder.agents.map((title) => ({ title, texts: [] }))]
  const sources = found.map((one) => ({
    ...one,
    entity_type: 'folder',
    entity_id: one.title,
    given_by: 'folder' as const,
  }))
  return { sources, said: [], known: false }
}

function nextChangeset({ memory, clock }: Pass): string {
  const { changeset } = memory
  if (changeset && clock() - changeset.since < changesetMs && changeset.drafts < maxInChangeset) {
    changeset.drafts += 1
    return changeset.id
  }
  memory.changeset = { id: uuid(), since: clock(), drafts: 1 }
  return memory.changeset.id
}

/** Both sides are left as they were last known to agree; only what the file holds now is noted. */
async function saveDrafted(pass: Pass, task: Task, draftId: string): Promise<void> {
  const { entry, file, page } = task
  const isNew = page === null
  const drafted = entryOf(task, {
    path: entry?.path ?? task.path,
    base_text: entry?.base_text ?? null,
    page_id: entry?.page_id ?? page?.id ?? null,
    page_version: entry?.page_version ?? null,
    page_text: entry?.page_text ?? null,
    waiting_file: file?.text ?? null,
    pending_change_id: draftId,
    review_path: task.plan.file?.path ?? task.path,
    former_bytes: entry?.former_bytes ?? (isNew ? '' : (entry?.file_bytes ?? null)),
    ...(isNew && { page_id: null }),
  })
  await saveEntry(pass, drafted)
  await createFolderLogRepo(pass.database, pass.folder.id).append(pass.now(), {
    side: 'page',
    action: 'drafted',
    path: drafted.review_path!,
    page_id: page?.id ?? null,
    page_version: page?.version ?? null,
  })
}

const saveEntry = ({ database, folder }: Pass, entry: FolderEntry) =>
  createFolderEntriesRepo(database, folder.id).save(entry)

/** The draft of a change that is no longer as drafted. False: it was decided on meanwhile, which comes first. */
export async function withdrawDraft(pass: Pass, entry: FolderEntry | null): Promise<boolean> {
  if (!entry?.pending_change_id || entry.review_path === null) return true
  try {
    await pass.retractChange(asFolder, entry.pending_change_id)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'already_decided') throw error
    return false
  }
  await saveEntry(pass, { ...entry, pending_change_id: null, review_path: null, waiting_file: null })
  return true
}
