import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { exportVault } from '../../export/export-vault.ts'
import { zipOf } from '../../export/write-zip.ts'
import { route } from '../route.ts'
import { flag, idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

export const vaultRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/vault',
    access: 'owner',
    summary: 'A Space as an archive of Markdown files and originals, which an import reads back',
    params: idParams('space_id'),
    query: z.object({ trash: flag.describe('With what is in the trash') }),
    answers: { 200: 'The archive' },
    mediaType: 'application/zip',
    async handle(deps, { actor, res, params: { space_id }, query: { trash } }) {
      const { database, kinds, now } = deps
      const space = await enterSpace(deps, actor, space_id)
      res.writeHead(200, {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${space.slug}-${now().toISOString().slice(0, 10)}.zip"`,
        'cache-control': 'no-store',
      })
      try {
        await pipeline(zipOf(exportVault({ database, kinds, space, trash }), now()), res)
      } catch (error) {
        // A reader that went away is no failure; any other must not look like a complete file.
        if (!res.destroyed) throw error
      }
      return undefined
    },
  }),
]
