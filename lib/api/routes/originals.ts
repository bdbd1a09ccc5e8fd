import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createSourceDocsRepo } from '../../db/repos/source_docs.ts'
import { notFound } from '../../errors.ts'
import { route } from '../route.ts'
import { idParams } from '../schemas.ts'
import { checkRead, spacesOf } from '../scope.ts'

/** Types that a browser shows without being able to run anything in them. Everything else is a download. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'])

export const originalRoutes = [
  route({
    method: 'get',
    path: '/api/source-docs/:id/original',
    access: 'agent',
    summary: 'The bytes of an imported original',
    params: idParams('id'),
    answers: { 200: 'The bytes, as they were imported' },
    async handle({ database, kinds }, { actor, res, params: { id } }) {
      checkRead(actor, 'source_doc')
      const row = await createEntitiesRepo(database).findWithinSpaces(
        kinds.get('source_doc'),
        spacesOf(actor),
        id,
      )
      const original = row && (await createSourceDocsRepo(database).findOriginal(row.space_id, id))
      if (!original) throw notFound('original of a source document', id)

      const shown = shownTypes.has(original.mime)
      const name = encodeURIComponent(original.title).replace(/['()*]/g, encodeOne)
      res.setHeader('content-type', shown ? original.mime : 'application/octet-stream')
      res.setHeader('content-disposition', `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
      res.setHeader('content-security-policy', "default-src 'none'; sandbox")
      res.setHeader('cache-control', 'private, max-age=3600')
      res.end(original.bytes)
      return undefined
    },
  }),
]

const encodeOne = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
