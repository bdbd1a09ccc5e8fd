import type { Request } from 'express'
import { z } from 'zod'
import { Attachment } from '../../contract/imports.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { attachFile, maxAttachmentBytes } from '../../files/import/attach-file.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

export const attachmentRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/attachments',
    access: 'owner',
    summary: 'Attach a file to a Space, to be embedded in a text: the body is its bytes',
    params: idParams('space_id'),
    query: z.object({ name: z.string().min(1).max(1000).optional() }),
    answers: { 200: Attachment, 201: Attachment },
    async handle(deps, { req, actor, params: { space_id }, query: { name } }) {
      const space = await enterSpace(deps, actor, space_id)
      if (name === undefined) throw invalid('name is missing: what is the file called?')
      const bytes = await readBytes(req)
      const { database, content } = deps
      const file = { space_id: space.id, name, bytes, actor }
      const body = await attachFile({ database, writer: content.writer, ...file })
      return { status: body.existing ? 200 : 201, body }
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
