// What is made of a conversation and of its messages: files to share, pages, other threads, other words.

import type { Request } from 'express'
import { z } from 'zod'
import { exportAnswer, exportThread, saveAnswer } from '../../companion/cited-answers.ts'
import { editAnswer, listAnswerVersions } from '../../companion/edit-answer.ts'
import { AnswerVersion, Conversation, Message } from '../../contract/companion/companion.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import { notFound } from '../../core/errors.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import type { Deps } from '../deps.ts'
import { sendDownload } from '../download.ts'
import { idParams, ownAddress, type Route, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const threadParams = idParams('space_id', 'id')

type Shared = {
  sharedPage: Deps['server']['sharedPage']
  parts: AsyncIterable<string>
  title: string
  slug: string
  origin: string
}

const formats = ['md', 'html'] as const
type SharedFormat = (typeof formats)[number]
const mediaTypes = { md: 'text/markdown', html: 'text/html' } as const

/** A thread or an answer as a file. */
function toFile({ sharedPage, parts, title, slug, origin }: Shared, format: SharedFormat) {
  const file = { type: `${mediaTypes[format]}; charset=utf-8`, name: `${fileStem(title)}.${format}` }
  return { file, content: format === 'md' ? parts : sharedPage(parts, { title, slug, origin }) }
}

const threadRoute = (format: SharedFormat, kinds: Kinds) =>
  route({
    method: 'get',
    path: `/api/spaces/:space_id/conversations/:id/export.${format}`,
    access: 'owner',
    summary:
      format === 'md'
        ? 'Export a conversation as Markdown, with citations as links, sources below each answer and a count of tool calls'
        : 'Export a conversation as one HTML file without scripts, with citations as links and sources below each answer',
    params: threadParams,
    answers: { 200: 'The file' },
    mediaType: mediaTypes[format],
    async handle(deps, { actor, req, res, params: { space_id, id } }) {
      const { slug } = await enterSpace(deps, actor, space_id)
      const conversation = await deps.content.conversations.find(space_id, id)
      const origin = ownAddress(req, deps.server.publicUrl)
      const parts = exportThread({ database: deps.database, kinds, conversation, slug, origin })
      const { sharedPage } = deps.server
      const shared = { sharedPage, parts, title: conversation.title, slug, origin }
      const { file, content } = toFile(shared, format)
      await sendDownload(res, file, content)
      return undefined
    },
  })

const answerRoute = (format: SharedFormat, kinds: Kinds) =>
  route({
    method: 'get',
    path: `/api/messages/:id/export.${format}`,
    access: 'owner',
    summary: `Export an answer as ${format === 'md' ? 'Markdown' : 'one HTML file without scripts'}, with its citations as links and its sources below it`,
    params: idParams('id'),
    answers: { 200: 'The file' },
    mediaType: mediaTypes[format],
    async handle(deps, { req, res, params: { id } }) {
      const shared = await sharedAnswer(deps, req, kinds, id)
      const { file, content } = toFile(shared, format)
      await sendDownload(res, file, content)
      return undefined
    },
  })

async function sharedAnswer(deps: Deps, req: Request, kinds: Kinds, id: string): Promise<Shared> {
  const { database, content, repos, server } = deps
  const message = await repos.messages.findAnywhere(id)
  if (message?.role !== 'assistant') throw notFound('answer', id)
  const conversation = await content.conversations.find(message.space_id, message.conversation_id)
  const origin = ownAddress(req, server.publicUrl)
  const slug = message.space_slug
  const parts = exportAnswer(message, { database, kinds, conversation, slug, origin })
  return { sharedPage: server.sharedPage, parts, title: conversation.title, slug, origin }
}

export const messageRoutes = (kinds: Kinds): Route[] => [
  ...formats.map((format) => threadRoute(format, kinds)),
  ...formats.map((format) => answerRoute(format, kinds)),

  route({
    method: 'post',
    path: '/api/messages/:id/page',
    access: 'owner',
    summary: 'Save an answer as a page, with its citations as links and a link to the answer',
    params: idParams('id'),
    body: z
      .strictObject({
        title: z
          .string()
          .overwrite(cleanLine)
          .min(1)
          .max(500)
          .optional()
          .describe('Default: the first words of the question'),
      })
      .optional(),
    answers: { 201: rowOf(kinds.get('page')) },
    async handle({ database, content: { writer } }, { actor, params: { id }, body }) {
      const saved = { actor, messageId: id, title: body?.title }
      return { status: 201, body: await saveAnswer({ database, kinds, writer }, saved) }
    },
  }),

  route({
    method: 'post',
    path: '/api/messages/:id/clone',
    access: 'owner',
    summary: 'Start a conversation with what was said up to a message, and make it the current one',
    params: idParams('id'),
    body: z
      .strictObject({ agent_id: id.optional().describe('Companion. Default: that of the conversation') })
      .optional(),
    answers: { 201: Conversation },
    async handle({ content: { conversations } }, { actor, params: { id }, body }) {
      return { status: 201, body: await conversations.clone(actor, id, body?.agent_id ?? null) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/messages/:id',
    access: 'owner',
    summary: 'Edit an answer. It is marked as edited, and what it said before is kept',
    params: idParams('id'),
    bodyLimit: '1mb',
    body: z.strictObject({ body: z.string().overwrite(cleanText).min(1).max(200_000) }),
    answers: { 200: Message },
    async handle({ database, server, content }, { params: { id }, body: { body: text } }) {
      const message = await editAnswer(database, id, { text, now: server.now() })
      await content.conversations.announceChanged(message.conversation_id)
      return { body: message }
    },
  }),

  route({
    method: 'get',
    path: '/api/messages/:id/versions',
    access: 'owner',
    summary: 'List what an answer said before the owner edited it, oldest first',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(AnswerVersion) }) },
    handle: async ({ database }, { params: { id } }) => ({
      body: { items: await listAnswerVersions(database, id) },
    }),
  }),
]

/** In letters that every header and every disk takes. */
function fileStem(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 60) || 'thread'
}
