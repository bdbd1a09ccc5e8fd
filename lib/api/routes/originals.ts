import { notFound } from '../../errors.ts'
import { findEntity } from '../find-entity.ts'
import { idParams } from '../params.ts'
import { encodedName } from '../responses/encoded-name.ts'
import { route } from '../route.ts'
import { checkRead } from '../scope.ts'

/** Types that a browser shows without being able to run anything in them. Everything else is a download. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'])

/** An original opened as a page of its own runs and loads nothing. */
const sandboxed = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"

export const originalRoutes = [
  route({
    method: 'get',
    path: '/api/source-docs/:id/original',
    access: 'agent',
    summary: 'The bytes of an imported original',
    params: idParams('id'),
    answers: { 200: 'The bytes, as they were imported' },
    async handle(deps, { actor, res, params: { id } }) {
      checkRead(actor, 'source_doc')
      const { space_id } = await findEntity(deps, actor, deps.kinds.get('source_doc'), id)
      const original = await deps.repos.sourceDocs.findOriginal(space_id, id)
      if (!original) throw notFound('original of a source document', id)

      const shown = shownTypes.has(original.mime)
      const name = encodedName(original.title)
      res.setHeader('content-type', shown ? original.mime : 'application/octet-stream')
      res.setHeader('content-disposition', `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
      res.setHeader('content-security-policy', sandboxed)
      res.setHeader('cache-control', 'private, max-age=3600')
      res.end(original.bytes)
      return undefined
    },
  }),
]
