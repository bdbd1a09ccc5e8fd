import type { Request } from 'express'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { CallModel } from '../../ai/model.ts'
import { listMessages, loadCompanionState } from '../../companion/companion-state.ts'
import { findAttachedFiles, findMentionedPages } from '../../companion/prompt/question.ts'
import { maxScreenshotLength, readScreenshot } from '../../companion/prompt/read-image.ts'
import { readCommand } from '../../companion/research/rules/read-message.ts'
import {
  CompanionState,
  MessagePage,
  PlainTextAnswer,
  SpokenLine,
  SpokenRefusal,
  UserMessage,
} from '../../contract/companion/companion.ts'
import { OpenDesk, RequestedView, toViewed } from '../../contract/companion/open-desk.ts'
import { ErrorBody } from '../../contract/error.ts'
import { TurnEvent } from '../../contract/events/events.ts'
import { commandCall, maxMentions, maxMessageFiles } from '../../contract/limits.ts'
import { ResearchDepth } from '../../contract/research.ts'
import { id } from '../../contract/scalars.ts'
import { invalid } from '../../core/errors.ts'
import { expandCommand } from '../../space/commands.ts'
import { respondAsJson, respondAsLines } from '../respond-as-json.ts'
import { idParams, readIdempotencyKey, route } from '../route.ts'
import { enterSpace } from '../scope.ts'
import { streamTurn } from '../sse.ts'

const inSpace = idParams('space_id')

export const companionRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/companion',
    access: 'owner',
    summary:
      'Get the current conversation of a Space with its latest messages, oldest first, and their drafts',
    params: inSpace,
    query: z.object({
      agent_id: id.optional().describe('Companion. Default: the most recently used'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: CompanionState },
    async handle(deps, { actor, params: { space_id }, query: { agent_id = null, limit } }) {
      await enterSpace(deps, actor, space_id)
      const { database, changes, companion, ai, server } = deps
      const { loadCards } = changes
      const parts = { database, loadCards, companion, models: ai.models, now: server.now }
      return { body: await loadCompanionState(parts, { space_id, agent_id, actor, limit }) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/companion/turn',
    access: 'owner',
    summary:
      'Send a message to the companion; the answer streams as server-sent events, or is returned as JSON or JSON Lines if accepted',
    params: inSpace,
    bodyLimit: '8mb',
    body: z.strictObject({
      ...UserMessage.omit({ routine: true, screenshot: true, command: true }).shape,
      view: RequestedView.nullable().optional().describe('What the owner is viewing'),
      desk: OpenDesk.nullable().optional().describe('Open tabs; items outside the Space are ignored'),
      conversation_id: id
        .optional()
        .describe('Default: the conversation the message belongs to, as decided by the router'),
      agent_id: id
        .optional()
        .describe(
          'Companion that answers. Default: the companion of conversation_id or active_conversation_id, or the most recently used in the Space',
        ),
      active_conversation_id: id
        .optional()
        .describe(
          'Conversation on screen, if conversation_id is absent; used for routing. Default: the current one',
        ),
      queue: z
        .boolean()
        .default(false)
        .describe('If another turn is running there, queue the message instead of refusing it'),
      replaces: id
        .optional()
        .describe(
          'Turn of conversation_id to replace, with an edited or repeated message. That turn and all later ones are hidden and can be shown again',
        ),
      mentions: z
        .array(id)
        .max(maxMentions)
        .optional()
        .describe('Pages of the Space mentioned in the message; read before the model answers'),
      attachments: z
        .array(id)
        .max(maxMessageFiles)
        .optional()
        .describe(
          'Files of the Space attached to the message; images are shown to the model, other files are read before it answers',
        ),
      screenshot: z
        .string()
        .max(maxScreenshotLength)
        .nullable()
        .optional()
        .describe(
          'PNG, JPEG or WebP of at most 5 MB, as base64 or a data URL; shown to the router and the model, and kept with the conversation',
        ),
      glance: id
        .optional()
        .describe('Nudge that the message began with: its mail counts as read for drafts made after it'),
      research: ResearchDepth.optional().describe(
        'Answer with a research run of this depth; same as the text “/research [DEPTH] question”',
      ),
    }),
    answers: {
      200: z.string().describe('Events: turn, delta, tool, citation, draft, research, status, done, error'),
    },
    mediaType: 'text/event-stream',
    stream: TurnEvent,
    alternatives: { 'application/json': PlainTextAnswer, 'application/x-ndjson': SpokenLine },
    refusal: z.union([SpokenRefusal, ErrorBody]),
    async handle(deps, { actor, req, res, params: { space_id }, body }) {
      const callModel: CallModel | undefined = req.app.locals.callModel
      const start = async () => {
        if (body.text.trim() === '') throw invalid('text: must not be empty.')
        if (body.replaces && !body.conversation_id) throw invalid('replaces: requires conversation_id.')
        await deps.server.limitTurns(req, res)
        const depth = body.research ?? readCommand(body.text)?.depth
        if (body.mentions?.length && depth)
          throw invalid('mentions: not supported with research, which finds its own sources.')
        if (body.attachments?.length && depth)
          throw invalid('attachments: not supported with research, which finds its own sources.')
        if (typeof body.screenshot === 'string' && depth)
          throw invalid('screenshot: not supported with research, which finds its own sources.')
        const screenshot = typeof body.screenshot === 'string' ? readScreenshot(body.screenshot) : undefined
        const mayBeCommand = !depth && commandCall.test(body.text)
        const command = mayBeCommand ? await expandCommand(deps.database, space_id, body.text) : null
        const {
          conversation_id,
          agent_id = command?.agent_id,
          active_conversation_id,
          replaces,
          queue,
          ...said
        } = body
        const message = {
          ...said,
          ...(command && { text: command.text, command: command.used }),
          view: toViewed(said.view, deps.kinds.all),
          desk: said.desk ?? undefined,
          mentions: said.mentions && (await findMentionedPages(deps, space_id, said.mentions)),
          attachments: said.attachments && (await findAttachedFiles(deps, space_id, said.attachments)),
          screenshot: screenshot && { id: uuid(), mime: screenshot.mime, size: screenshot.bytes.length },
          research: depth && { depth, rerun_of: null },
          glance: said.glance === undefined ? undefined : await deps.glance.begunWith(space_id, said.glance),
        }
        const request = {
          space_id,
          message,
          screenshot,
          conversation_id,
          agent_id,
          active_conversation_id,
          replaces,
          queue,
        }
        const idempotency_key = readIdempotencyKey(req)
        return await deps.companion.start(actor, { ...request, idempotency_key, callModel })
      }
      const form = spokenForm(req)
      if (form === 'json') await respondAsJson(deps, { req, res, start })
      else if (form === 'lines') await respondAsLines(deps, { req, res, start, actor, text: body.text })
      else await streamTurn(deps, { actor, res }, { turn: await start(), after: 0 })
      return undefined
    },
  }),

  route({
    method: 'get',
    path: '/api/conversations/:conversation_id/messages',
    access: 'owner',
    summary: 'List the messages of a conversation: latest page first, oldest first within a page',
    params: idParams('conversation_id'),
    query: z.object({
      before: id.optional().describe('Return messages before this id'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: MessagePage },
    async handle({ database, changes }, { params: { conversation_id }, query: { before = null, limit } }) {
      return { body: await listMessages(database, changes.loadCards, { conversation_id, before, limit }) }
    },
  }),
]

const lines = 'application/x-ndjson'

/** What the caller wants in place of a stream of events; `null`: that stream. */
function spokenForm(req: Request): 'json' | 'lines' | null {
  const type = req.accepts(['text/event-stream', 'application/json', lines])
  return type === lines ? 'lines' : type === 'application/json' ? 'json' : null
}
