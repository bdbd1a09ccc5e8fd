import { z } from 'zod'
import { today } from '../../core/schedule/calendar.ts'
import { exportRecords } from '../../files/export/export-records.ts'
import { exportVault, zipOf } from '../../files/export/export-vault.ts'
import { sendDownload, sendJsonLines } from '../download.ts'
import { flag, idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

export const exportRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/export',
    access: 'owner',
    summary: 'Export a Space as JSON Lines, without the bytes of original files',
    params: idParams('space_id'),
    query: z.object({ trash: flag.describe('Include the trash') }),
    answers: {
      200: 'One line `{ "type": "export", … }`, one for each entity (its kind as `type`), conversation, message, attachment of a conversation, pending change, research run, mail message and audit log entry, and a last line `{ "type": "end", "counts": … }`',
    },
    mediaType: 'application/x-ndjson',
    stream: z.looseObject({ type: z.string() }),
    async handle(deps, { actor, res, params: { space_id }, query: { trash } }) {
      const {
        database,
        kinds,
        server: { version },
      } = deps
      const now = deps.server.now()
      const space = await enterSpace(deps, actor, space_id)
      const records = exportRecords({ database, kinds, space, trash, version, now })
      await sendJsonLines(res, `${space.slug}-${today(deps.server.ownerZone.calendar)}.jsonl`, records)
      return undefined
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/vault',
    access: 'owner',
    summary: 'Export a Space as a zip archive of Markdown and original files that can be imported again',
    params: idParams('space_id'),
    query: z.object({ trash: flag.describe('Include the trash') }),
    answers: { 200: 'The archive' },
    mediaType: 'application/zip',
    async handle(deps, { actor, res, params: { space_id }, query: { trash } }) {
      const { database, kinds } = deps
      const now = deps.server.now()
      const space = await enterSpace(deps, actor, space_id)
      const file = {
        type: 'application/zip',
        name: `${space.slug}-${today(deps.server.ownerZone.calendar)}.zip`,
      }
      await sendDownload(res, file, zipOf(exportVault({ database, kinds, space, trash }), now))
      return undefined
    },
  }),
]
