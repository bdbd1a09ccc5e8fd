import { z } from 'zod'
import { exportThread, saveAnswer } from '../../companion/cited-answers.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { ownAddress } from '../own-address.ts'
import { idParams } from '../params.ts'
import { sendDownload } from '../responses/download.ts'
import { type Route, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

/** What can be taken out of a conversation. */
export const messageRoutes = (kinds: Kinds): Route[] => [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/conversations/:id/export.md',
    access: 'owner',
    summary:
      'A conversation as a Markdown file: citations are links, with their sources below each answer; calls of tools are counted',
    params: idParams('space_id', 'id'),
    answers: { 200: 'The file' },
    mediaType: 'text/markdown',
    async handle(deps, { actor, req, res, params: { space_id, id } }) {
      const { slug } = await enterSpace(deps, actor, space_id)
      const { database } = deps
      const conversation = await deps.content.conversations.find(space_id, id)
      const origin = ownAddress(req, deps.server.publicUrl)
      const file = { type: 'text/markdown; charset=utf-8', name: fileName(conversation.title) }
      await sendDownload(res, file, exportThread({ database, kinds, conversation, slug, origin }))
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/messages/:id/page',
    access: 'owner',
    summary: 'Save an answer as a page of your own, with its citations as links and a link to the answer',
    params: idParams('id'),
    body: z
      .strictObject({
        title: z
          .string()
          .overwrite(cleanLine)
          .min(1)
          .max(500)
          .optional()
          .describe('Left out: the first words of the question'),
      })
      .optional(),
    answers: { 201: rowOf(kinds.get('page')) },
    async handle({ database, content: { writer } }, { actor, params: { id }, body }) {
      const saved = { actor, messageId: id, title: body?.title }
      return { status: 201, body: await saveAnswer({ database, kinds, writer }, saved) }
    },
  }),
]

/** In letters that every header and every disk takes. */
function fileName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${words.join('-').slice(0, 60) || 'thread'}.md`
}
