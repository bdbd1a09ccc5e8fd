import type { Request, Response } from 'express'
import { z } from 'zod'
import { Attachment } from '../../contract/imports.ts'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { attachFile, maxAttachmentBytes } from '../../files/import/attach-file.ts'
import { byteRange, encodedName } from '../download.ts'
import { idParams, route } from '../route.ts'
import { checkRead, enterSpace, findEntity } from '../scope.ts'

export const attachmentRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/attachments',
    access: 'owner',
    summary: 'Upload an attachment to a Space; the request body is its content',
    params: idParams('space_id'),
    query: z.object({ name: z.string().min(1).max(1000).optional() }),
    answers: { 200: Attachment, 201: Attachment },
    async handle(deps, { req, actor, params: { space_id }, query: { name } }) {
      const space = await enterSpace(deps, actor, space_id)
      if (name === undefined) throw invalid('name: is missing.')
      const bytes = await readBytes(req)
      const { database, content } = deps
      const file = { space_id: space.id, name, bytes, actor }
      const body = await attachFile({ database, writer: content.writer, ...file })
      return { status: body.existing ? 200 : 201, body }
    },
  }),

  route({
    method: 'get',
    path: '/api/conversations/:conversation_id/attachments/:id',
    access: 'owner',
    summary: 'Get a screenshot that came with a message of a conversation',
    params: idParams('conversation_id', 'id'),
    answers: { 200: 'The image' },
    async handle({ repos }, { res, params: { conversation_id, id } }) {
      const found = await repos.conversationAttachments.find(conversation_id, id)
      if (!found) throw notFound('attachment', id)
      setFileHeaders(res, { mime: found.mime, title: 'Screenshot' })
      res.end(found.bytes)
      return undefined
    },
  }),
]

/** Throws a 413 `AppError` for more than a file may have, as soon as that is known. */
async function readBytes(req: Request): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxAttachmentBytes) throw tooLarge()
  const parts: Buffer[] = []
  let size = 0
  // Left open at the limit: destroyed, it would take the connection with it, and nobody would read why.
  for await (const part of req.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > maxAttachmentBytes) break
    parts.push(part)
  }
  if (size <= maxAttachmentBytes) return Buffer.concat(parts)
  req.resume()
  throw tooLarge()
}

const tooLarge = () =>
  new AppError('too_large', 413, `The file is larger than ${maxAttachmentBytes / (1024 * 1024)} MB.`)

/** Types that a browser shows without being able to run anything in them. Everything else is a download. */
const shownTypes = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'],
  ...['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'audio/flac', 'video/mp4', 'video/webm'],
])

/** An original opened as a page of its own runs and loads nothing. */
const sandboxed = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"

/** Shown as a picture in a page, where nothing of it runs; opened by itself it is a download. */
const drawing = 'image/svg+xml'

/** A drawing has styles of its own, and pictures in it. */
const ofDrawings = `style-src 'unsafe-inline'; img-src data:; ${sandboxed}`

export const originalRoutes = [
  route({
    method: 'get',
    path: '/api/source-docs/:id/original',
    access: 'agent',
    summary: 'Download an imported original file',
    params: idParams('id'),
    answers: { 200: 'The original content', 206: 'The range requested by the `Range` header' },
    async handle(deps, { actor, req, res, params: { id } }) {
      checkRead(actor, 'source_doc')
      const { space_id } = await findEntity(deps, actor, deps.kinds.get('source_doc'), id)
      const { sourceDocs } = deps.repos
      const original = await sourceDocs.findOriginal(space_id, id)
      if (!original) throw notFound('original of a source document', id)
      const range = byteRange(req.headers.range, original.size)
      setFileHeaders(res, original)
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

function setFileHeaders(res: Response, { mime, title }: { mime: string; title: string }): void {
  const shown = shownTypes.has(mime)
  res.setHeader('content-type', shown || mime === drawing ? mime : 'application/octet-stream')
  res.setHeader(
    'content-disposition',
    `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodedName(title)}`,
  )
  res.setHeader('content-security-policy', mime === drawing ? ofDrawings : sandboxed)
  res.setHeader('cache-control', 'private, max-age=3600')
}

export const externalImageRoutes = [
  route({
    method: 'get',
    path: '/api/external-image',
    access: 'owner',
    summary: 'Proxy an external image',
    limit: { requests: 300, windowMs: 60_000 },
    query: z.object({ url: z.url({ protocol: /^https$/ }).max(4000) }),
    answers: { 200: 'The image' },
    async handle({ server }, { res, query: { url } }) {
      const { type, bytes } = await server.loadExternalImage(url)
      res.setHeader('content-type', type)
      res.setHeader('content-security-policy', "default-src 'none'; sandbox")
      res.setHeader('cache-control', 'private, max-age=86400')
      res.end(bytes)
      return undefined
    },
  }),
]
