import { notFound } from '../../core/errors.ts'
import { findEntity } from '../find-entity.ts'
import { idParams } from '../params.ts'
import { byteRange, encodedName } from '../responses/download.ts'
import { route } from '../route.ts'
import { checkRead } from '../scope.ts'

/** Types that a browser shows without being able to run anything in them. Everything else is a download. */
const shownTypes = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'],
  ...['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'audio/flac', 'video/mp4', 'video/webm'],
])

/** An original opened as a page of its own runs and loads nothing. */
const sandboxed = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"

export const originalRoutes = [
  route({
    method: 'get',
    path: '/api/source-docs/:id/original',
    access: 'agent',
    summary: 'The bytes of an imported original',
    params: idParams('id'),
    answers: { 200: 'The bytes, as they were imported', 206: 'Those that a `Range` header asks for' },
    async handle(deps, { actor, req, res, params: { id } }) {
      checkRead(actor, 'source_doc')
      const { space_id } = await findEntity(deps, actor, deps.kinds.get('source_doc'), id)
      const { sourceDocs } = deps.repos
      const original = await sourceDocs.findOriginal(space_id, id)
      if (!original) throw notFound('original of a source document', id)
      const range = byteRange(req.headers.range, original.size)

      const shown = shownTypes.has(original.mime)
      const name = encodedName(original.title)
      res.setHeader('content-type', shown ? original.mime : 'application/octet-stream')
      res.setHeader('content-disposition', `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
      res.setHeader('content-security-policy', sandboxed)
      res.setHeader('cache-control', 'private, max-age=3600')
      res.setHeader('accept-ranges', 'bytes')
      if (range) {
        res.statusCode = 206
        res.setHeader('content-range', `bytes ${range.from}-${range.to}/${original.size}`)
      }
      res.end(await sourceDocs.loadBytes(space_id, id, range ?? { from: 0, to: original.size - 1 }))
      return undefined
    },
  }),
]
