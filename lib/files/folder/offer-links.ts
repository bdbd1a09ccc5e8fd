// A move that comes from the folder rewrites no links: the program that moved the file has just done so, or is about to. Those
// that still break after a minute are offered as drafts of one changeset.

import { v7 as uuid } from 'uuid'
import { respellBroken } from '../../content/writes/respell-broken.ts'
import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/pool.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { enterAsFolder } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'

const waitMs = 60_000
/** Links of moves that are remembered at a time. */
const maxLinks = 20_000

/** Before a page moves: where its links lead, and those to it. */
export async function noteLinks(tx: Tx, { memory, folder, clock }: Pass, pageId: string): Promise<void> {
  const known = memory.movedLinks.reduce((sum, { links }) => sum + links.length, 0)
  if (known >= maxLinks) return
  const links = await createLinksRepo(tx).listRows(folder.space_id, [pageId], 'both')
  if (links.length > 0) memory.movedLinks.push({ at: clock(), links: links.slice(0, maxLinks - known) })
}

export async function offerLinks(pass: Pass): Promise<{ offered: number }> {
  const { database, kinds, folder, memory, clock } = pass
  const due = memory.movedLinks.filter(({ at }) => clock() - at >= waitMs)
  if (due.length === 0) return { offered: 0 }
  const before = due.flatMap(({ links }) => links)
  const broken = await database.transaction((tx) => respellBroken(tx, kinds, folder.space_id, before))
  const agent = await enterAsFolder(database)
  const changeset_id = uuid()
  const waiting = new Set<string>()
  let offered = 0
  for (const { row, text } of broken) {
    const of = { space_id: folder.space_id, agent_id: agent.agent_id, entity_type: 'page', entity_id: row.id }
    // What else of the folder waits for this page comes first; a draft would take its place.
    if ((await createPendingChangesRepo(database).listWaiting(of)).length > 0) {
      waiting.add(row.id)
      continue
    }
    try {
      await pass.proposeChange(agent, {
        ...{ space_id: folder.space_id, entity_type: 'page', entity_id: row.id, version: row.version },
        action: 'update',
        payload: { body: text },
        reason: 'Links break since files moved in the folder. This draft lets them lead there again.',
        changeset_id,
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
  memory.movedLinks = memory.movedLinks.filter((one) => !due.includes(one))
  if (later.length > 0) memory.movedLinks.push({ at: clock(), links: later })
  return { offered }
}
