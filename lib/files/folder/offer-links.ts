// A move that comes from the folder rewrites no links: the program that moved the file has just done so, or is about to. Those
// that still break after a minute are offered as drafts of one changeset.

import { respellBroken } from '../../content/writes/respell-broken.ts'
import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/pool.ts'
import { createFolderMovedLinksRepo } from '../../db/repos/folder_moved_links.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { enterAsFolder } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'

const waitMs = 60_000
/** Links of moves that wait at a time. */
const maxLinks = 20_000

/** Before a page moves: where its links lead, and those to it. */
export async function noteLinks(tx: Tx, { memory, folder, now }: Pass, pageId: string): Promise<void> {
  const repo = createFolderMovedLinksRepo(tx, folder.id)
  memory.movedLinks ??= await repo.count()
  if (memory.movedLinks >= maxLinks) return
  const links = await createLinksRepo(tx).listRows(folder.space_id, [pageId], 'both')
  if (links.length === 0) return
  await repo.add(now(), links.slice(0, maxLinks - memory.movedLinks))
  memory.movedLinks += links.length
}

export async function offerLinks(pass: Pass): Promise<{ offered: number }> {
  const { database, kinds, folder, memory, now } = pass
  const due = await createFolderMovedLinksRepo(database, folder.id).listUntil(
    new Date(now().getTime() - waitMs),
  )
  const [first] = due
  if (!first) return { offered: 0 }
  const before = due.flatMap(({ links }) => links)
  const broken = await database.transaction((tx) => respellBroken(tx, kinds, folder.space_id, before))
  const agent = await enterAsFolder(database)
  const waiting = new Set<string>()
  let offered = 0
  for (const { row, text } of broken) {
    const of = { space_id: folder.space_id, agent_id: agent.agent_id, entity_type: 'page', entity_id: row.id }
    const drafts = await createPendingChangesRepo(database).listWaiting(of)
    // That of a process that ended before it was done with all of them.
    if (drafts.some(({ changeset_id }) => changeset_id === first.id)) continue
    // What else of the folder waits for this page comes first; a draft would take its place.
    if (drafts.length > 0) {
      waiting.add(row.id)
      continue
    }
    try {
      await pass.proposeChange(agent, {
        ...{ space_id: folder.space_id, entity_type: 'page', entity_id: row.id, version: row.version },
        action: 'update',
        payload: { body: text },
        reason: 'Links break since files moved in the folder. This draft lets them lead there again.',
        changeset_id: first.id,
        turn: null,
        tool_use_id: null,
      })
      offered += 1
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      pass.logger.info({ err: error, page: row.id }, 'folder: links not offered')
    }
  }
  const later = before.filter(({ from_id }) => waiting.has(from_id))
  await database.transaction(async (tx) => {
    const repo = createFolderMovedLinksRepo(tx, folder.id)
    await repo.remove(due.map(({ id }) => id))
    if (later.length > 0) await repo.add(now(), later)
  })
  memory.movedLinks = null
  return { offered }
}
