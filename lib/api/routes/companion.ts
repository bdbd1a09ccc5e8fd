import type { Request } from 'express'
import { z } from 'zod'
import type { CallModel } from '../../ai/model.ts'
import { listMessages, loadCompanionState } from '../../companion/companion-state.ts'
import { findAttachedFiles, findMentionedPages } from '../../companion/prompt/question.ts'
import { readCommand } from '../../companion/research/rules/read-message.ts'
import {
  CompanionState,
  MessagePage,
  PlainTextAnswer,
  SpokenLine,
  SpokenRefusal,
  UserMessage,
} from '../../contract/companion/companion.ts'
import { OpenDesk, Viewed } from '../../contract/companion/open-desk.ts'
import { ErrorBody } from '../../contract/error.ts'
import { TurnEvent } from '../../contract/events/events.ts'
import { maxMentions, maxMessageFiles } from '../../contract/limits.ts'
import { ResearchDepth } from '../../contract/research.ts'
import { id } from '../../contract/scalars.ts'
import { invalid } from '../../core/errors.ts'
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
    summary: 'The conversation in use in a Space, with its latest messages, oldest first, and their drafts',
    params: inSpace,
    query: z.object({
      agent_id: id.optional().describe('The companion; left out: the one used last'),
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
      'Say something to the companion; the answer streams as server-sent events, or comes as one JSON where that is accepted',
    params: inSpace,
    body: z.strictObject({
      ...UserMessage.shape,
      view: Viewed.nullable().optional().describe('What the owner looks at'),
      desk: OpenDesk.nullable()
        .optional()
        .describe('The tabs that are open; what is not in the Space is left out'),
      conversation_id: id.optional().describe('Left out: the one that the message belongs to is found'),
      agent_id: id
        .optional()
        .describe('The companion that is asked; left out: that of the conversation, or the one used last'),
      active_conversation_id: id
        .optional()
        .describe('The conversation that is shown, where none is named; left out: the one in use'),
      queue: z
        .boolean()
        .default(false)
        .describe('While another turn runs there: wait for it, instead of being refused'),
      replaces: id
        .optional()
        .describe(
          'The turn whose place it takes in the conversation that is named: its message edited, or asked again. That turn and what followed it are put aside, and can be shown again',
        ),
      mentions: z
        .array(id)
        .max(maxMentions)
        .optional()
        .describe('Pages of the Space that the message names: they are read before the model answers'),
      attachments: z
        .array(id)
        .max(maxMessageFiles)
        .optional()
        .describe(
          'Files of the Space that come with the message: images are shown to the model, others are read before it answers',
        ),
      research: ResearchDepth.optional().describe(
        'Answer with research of that depth, which begins with a plan; so does the text “/research DEPTH question”',
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
        if (body.text.trim() === '') throw invalid('text: say something.')
        if (body.replaces && !body.conversation_id) throw invalid('replaces: name the conversation_id, too.')
        await deps.server.limitTurns(req, res)
        const depth = body.research ?? readCommand(body.text)?.depth
        if (body.mentions?.length && depth) throw invalid('mentions: research finds its sources itself.')
        if (body.attachments?.length && depth)
          throw invalid('attachments: research finds its sources itself.')
        const { conversation_id, agent_id, active_conversation_id, replaces, queue, ...said } = body
        const message = {
          ...said,
          view: said.view ?? undefined,
          desk: said.desk ?? undefined,
          mentions: said.mentions && (await findMentionedPages(deps, space_id, said.mentions)),
          attachments: said.attachments && (await findAttachedFiles(deps, space_id, said.attachments)),
          research: depth && { depth, rerun_of: null },
        }
        const request = {
          space_id,
          message,
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
    summary: 'The messages of a conversation, the latest page first, oldest first within it',
    params: idParams('conversation_id'),
    query: z.object({
      before: id.optional().describe('Messages before this one'),
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
