import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { SpaceRow } from '../../db/repos/spaces.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

const rowsPerPage = 200

export const exportRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/export',
    access: 'owner',
    summary: 'Everything in a Space but its trash and the bytes of originals, as JSON Lines',
    params: idParams('space_id'),
    answers: {
      200: 'A line `{ "type": "export", … }`, a line for every entity with its kind as `type`, a line `{ "type": "end", "counts": … }`',
    },
    mediaType: 'application/x-ndjson',
    async handle(deps, { actor, res, params: { space_id } }) {
      const space = await enterSpace(deps, actor, space_id)
      const day = deps.now().toISOString().slice(0, 10)
      res.writeHead(200, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="${space.slug}-${day}.jsonl"`,
        'cache-control': 'no-store',
      })
      try {
        await pipeline(Readable.from(exportLines(deps, space)), res)
      } catch (error) {
        // A reader that went away is no failure; any other must not look like a complete file.
        if (!res.destroyed) throw error
      }
      return undefined
    },
  }),
]

/** The lines in order. The last one proves that nothing is missing. */
async function* exportLines({ database, kinds, now, version }: Deps, space: SpaceRow) {
  const { deleted_at, ...shown } = space
  yield line({ type: 'export', format: 1, void: version, exported_at: now().toISOString(), space: shown })
  const counts: Record<string, number> = {}

  for (const kind of kinds.all) {
    let before_id: string | null = null
    counts[kind.type] = 0
    do {
      const filter = { space_id: space.id, status: null, deleted: false, before_id, limit: rowsPerPage }
      const rows = await createEntitiesRepo(database).list(kind, filter)
      for (const { deleted_at, ...row } of rows) yield line({ type: kind.type, ...row })
      counts[kind.type]! += rows.length
      before_id = rows.length === rowsPerPage ? rows.at(-1)!.id : null
    } while (before_id)
  }
  yield line({ type: 'end', counts })
}

const line = (value: object) => `${JSON.stringify(value)}\n`
