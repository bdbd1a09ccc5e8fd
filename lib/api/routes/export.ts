import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createExportRepo, recordTypes } from '../../db/repos/export.ts'
import type { SpaceRow } from '../../db/repos/spaces.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { flag, idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

/** What is read at once and held until it is sent: a text may be a megabyte. */
const rowsPerPage = 40

export const exportRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/export',
    access: 'owner',
    summary: 'Everything in a Space but the bytes of originals, as JSON Lines',
    params: idParams('space_id'),
    query: z.object({ trash: flag.describe('Also what is in the trash') }),
    answers: {
      200: 'A line `{ "type": "export", … }`, a line for every entity with its kind as `type`, for every conversation, message, pending change and entry of the audit log, and a line `{ "type": "end", "counts": … }`',
    },
    mediaType: 'application/x-ndjson',
    async handle(deps, { actor, res, params: { space_id }, query: { trash } }) {
      const space = await enterSpace(deps, actor, space_id)
      const day = deps.now().toISOString().slice(0, 10)
      res.writeHead(200, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="${space.slug}-${day}.jsonl"`,
        'cache-control': 'no-store',
      })
      try {
        await pipeline(Readable.from(exportLines(deps, space, trash)), res)
      } catch (error) {
        // A reader that went away is no failure; any other must not look like a complete file.
        if (!res.destroyed) throw error
      }
      return undefined
    },
  }),
]

/** The lines in order. The last one proves that nothing is missing. */
async function* exportLines(deps: Deps, space: SpaceRow, trash: boolean) {
  const { kinds, now, version } = deps
  const { deleted_at, ...shown } = space
  const at = now().toISOString()
  yield line({ type: 'export', format: 2, void: version, exported_at: at, trash, space: shown })
  const counts: Record<string, number> = {}
  for (const { type } of kinds.all) counts[type] = 0
  for (const type of recordTypes) counts[type] = 0

  for (const parts of [entityRows(deps, space.id, trash), recordRows(deps, space.id, trash)]) {
    for await (const row of parts) {
      counts[row.type]! += 1
      yield line(row)
    }
  }
  yield line({ type: 'end', counts })
}

/** Without the trash, a row says nothing of being deleted. */
async function* entityRows({ database, kinds }: Deps, spaceId: string, trash: boolean) {
  const entities = createEntitiesRepo(database)
  for (const kind of kinds.all) {
    for (const deleted of trash ? [false, true] : [false]) {
      let before_id: string | null = null
      do {
        const filter = { space_id: spaceId, status: null, deleted, before_id, limit: rowsPerPage }
        const rows = await entities.list(kind, filter)
        for (const { deleted_at, ...row } of rows)
          yield { type: kind.type, ...row, ...(trash ? { deleted_at } : {}) }
        before_id = rows.length === rowsPerPage ? rows.at(-1)!.id : null
      } while (before_id)
    }
  }
}

async function* recordRows({ database }: Deps, space_id: string, trash: boolean) {
  const records = createExportRepo(database)
  for (const type of recordTypes) {
    let after: string | null = null
    do {
      const rows = await records.list(type, { space_id, trash, after, limit: rowsPerPage })
      for (const { key, ...row } of rows) yield { type, ...row }
      after = rows.length === rowsPerPage ? rows.at(-1)!.key : null
    } while (after)
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`
