// A Space filled from files, and the offline companion in it, asked over real turns.

import { createSpace } from '../../lib/content/writes/write-space.ts'
import type { Citation } from '../../lib/contract/events/events.ts'
import { importFiles } from '../../lib/files/import/import-files.ts'
import { listFolder, readFiles } from '../../lib/files/import/read/read-folder.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { answerOf, ofType, takeTurn } from '../helpers/turn-client.ts'

/** A Tuesday. */
const today = new Date(2026, 2, 3, 10, 0)

export type Answer = {
  text: string
  citations: Citation[]
  /** The server's line of each draft. */
  drafts: string[]
  stopReason: string | undefined
}

/** Imports a folder into a Space of its own; `ask` says something, where the router puts it. */
export async function offlineSpaceFrom(folder: string) {
  const { app, deps, owner } = await buildApp({ now: () => today })
  const {
    database,
    content: { writer, importFolder },
  } = deps
  const space = await createSpace(database, { kind: 'owner' }, { name: 'Offline' })
  const files = readFiles((await listFolder(folder)).files)
  await importFiles({ database, writer, importFolder, space_id: space.id, source: 'fixture', files })
  const url = await listen(app)

  async function ask(
    text: string,
    view?: { entityType: string; entityId: string },
    conversation_id?: string,
  ): Promise<Answer> {
    const body = { text, ...(view ? { view } : {}), ...(conversation_id ? { conversation_id } : {}) }
    const frames = await takeTurn({ url, space_id: space.id, body })
    return {
      text: answerOf(frames),
      citations: ofType(frames, 'citation').map(({ data }) => data),
      drafts: ofType(frames, 'draft').map(({ data }) => data.summary),
      stopReason: ofType(frames, 'done')[0]?.data.stop_reason,
    }
  }

  const add = async (path: string, fields: object) =>
    (await owner.post(`/api/spaces/${space.id}/${path}`).send(fields)).body
  return { ask, add, owner, deps, space }
}
