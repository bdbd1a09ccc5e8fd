import { z } from 'zod'
import type { CallModel } from '../../ai/model.ts'
import { loadCards } from '../../changes/cards.ts'
import { openDesk } from '../../companion/open-desk.ts'
import { suggestQuestions } from '../../companion/questions.ts'
import { describeLastRouting } from '../../companion/router/describe-routing.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createMessagesRepo, type MessageRow } from '../../db/repos/messages.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'
import { invalid, notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { card } from '../card-schema.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'
import { speakTurn, wantsJson } from '../speak-turn.ts'
import { streamTurn } from '../stream-turn.ts'
import { queuedTurn, toQueued } from './turns.ts'

const inSpace = idParams('space_id')

const message = z.object({
  id,
  conversation_id: id,
  turn_id: id.nullable(),
  role: z.enum(['user', 'assistant']),
  body: z.string(),
  agent_id: id.nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
})

const lastRouting = z.object({
  turn_id: id,
  decision_id: id,
  routed: z.enum(['latest', 'resumed', 'new']),
  by: z.enum(['obvious', 'model', 'rules', 'fallback']),
  title: z.string(),
  from: id.nullable(),
})

const spokenAnswer = z.object({
  text: z.string().describe('Plain text to be said; never empty'),
  open_in_browser: z.string().nullable().describe('Where the owner approves, while a draft waits'),
  turn_id: id.nullable(),
  conversation_id: id.nullable(),
  routed: z.enum(['named', 'latest', 'resumed', 'new']).nullable(),
  draft_ids: z.array(id),
  stop_reason: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
})

const companionAgent = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  mode: z.enum(['online', 'offline']),
  model: z.string(),
})

/** The drafts that messages made, for their cards. */
const draftIdsOf = (messages: readonly MessageRow[]) =>
  messages.flatMap(({ metadata: { draft_ids } }) => (Array.isArray(draft_ids) ? draft_ids.map(String) : []))

export const companionRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/companion',
    access: 'owner',
    summary: 'The conversation in use in a Space, with its latest messages, oldest first, and their drafts',
    params: inSpace,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answers: {
      200: z.object({
        conversation_id: id,
        title: z.string(),
        agent: companionAgent,
        messages: z.array(message),
        more: z.boolean().describe('Whether there are older messages'),
        cards: z.array(card).describe('The drafts that these messages made, as they stand now'),
        running_turn_id: id.nullable(),
        last_routing: lastRouting.nullable().describe('How the last turn came here, if it was routed'),
        queued: z.array(queuedTurn).describe('Messages that wait for their turn, the next one first'),
        questions: z.array(z.string()).describe('For an empty conversation: what could be asked'),
      }),
    },
    async handle(deps, { actor, params: { space_id }, query: { limit } }) {
      const { database, kinds } = deps
      await enterSpace(deps, actor, space_id)
      const conversation = await deps.companion.conversation(space_id, actor)
      const { id, slug, name } = await deps.companion.agent()
      const { mode, name: model } = deps.models.current()
      const running = await createTurnsRepo(database).findRunning(conversation.id)
      const rows = await createMessagesRepo(database).listLatest(conversation.id, null, limit + 1)
      const messages = rows.slice(-limit)
      return {
        body: {
          conversation_id: conversation.id,
          title: conversation.title,
          agent: { id, slug, name, mode, model },
          messages,
          more: rows.length > limit,
          cards: await loadCards(database, kinds, { space_id, ids: draftIdsOf(messages) }),
          running_turn_id: running?.id ?? null,
          last_routing: await describeLastRouting(database, {
            turnId: messages.at(-1)?.turn_id ?? null,
            now: deps.now(),
          }),
          queued: (await deps.companion.queued(conversation.id)).map(toQueued),
          questions: messages.length === 0 ? await suggestQuestions(database, space_id) : [],
        },
      }
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
      text: z.string().overwrite(cleanText).max(100_000),
      view: z
        .strictObject({ entityType: z.string().max(40), entityId: id })
        .nullable()
        .optional()
        .describe('What the owner looks at'),
      desk: openDesk
        .nullable()
        .optional()
        .describe('The tabs that are open; what is not in the Space is left out'),
      conversation_id: id.optional().describe('Left out: the one that the message belongs to is found'),
      active_conversation_id: id
        .optional()
        .describe('The conversation that is shown, where none is named; left out: the one in use'),
      queue: z
        .boolean()
        .default(false)
        .describe('While another turn runs there: wait for it, instead of being refused'),
    }),
    answers: { 200: z.string().describe('Events: turn, delta, tool, citation, draft, status, done, error') },
    mediaType: 'text/event-stream',
    alternatives: { 'application/json': spokenAnswer },
    async handle(deps, { actor, req, res, params: { space_id }, body }) {
      const callModel: CallModel | undefined = req.app.locals.callModel
      const start = async () => {
        if (body.text.trim() === '') throw invalid('text: say something.')
        return await deps.companion.start(actor, {
          space_id,
          text: body.text,
          view: body.view ?? null,
          desk: body.desk ?? null,
          conversation_id: body.conversation_id ?? null,
          active_conversation_id: body.active_conversation_id ?? null,
          idempotency_key: readIdempotencyKey(req.headers['idempotency-key']),
          queue: body.queue,
          callModel,
        })
      }
      if (wantsJson(req)) await speakTurn(deps, { req, res, start })
      else await streamTurn(deps.companion, res, { turn: await start(), after: 0 })
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
    answers: {
      200: z.object({ items: z.array(message), cards: z.array(card), next_cursor: z.string().nullable() }),
    },
    async handle({ database, kinds }, { params: { conversation_id }, query: { before, limit } }) {
      const conversation = await createConversationsRepo(database).findAnywhere(conversation_id)
      if (!conversation) throw notFound('conversation', conversation_id)
      const { space_id } = conversation
      const rows = await createMessagesRepo(database).listLatest(conversation_id, before ?? null, limit + 1)
      const items = rows.slice(-limit)
      const cards = await loadCards(database, kinds, { space_id, ids: draftIdsOf(items) })
      return { body: { items, cards, next_cursor: rows.length > limit ? (items[0]?.id ?? null) : null } }
    },
  }),
]

function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = String(header).trim()
  if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key must have 1 to 200 characters.')
  return key
}
