import { z } from 'zod'
import { toQueuedMessage } from '../../companion/companion-state.ts'
import { findTurn } from '../../companion/conversations.ts'
import { findMentionedPages } from '../../companion/prompt/question.ts'
import { QueuedMessage } from '../../contract/companion/companion.ts'
import { Viewed } from '../../contract/companion/open-desk.ts'
import { Turn } from '../../contract/companion/turns.ts'
import { TurnEvent } from '../../contract/events/events.ts'
import { maxMentions } from '../../contract/limits.ts'
import { id } from '../../contract/scalars.ts'
import { forbidden, invalid } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import { idParams, route } from '../route.ts'
import { streamTurn } from '../sse.ts'

const byTurn = idParams('turn_id')

export const turnRoutes = [
  route({
    method: 'get',
    path: '/api/turns/:turn_id',
    access: 'owner',
    servedWhileDraining: true,
    summary: 'Get the state of a turn',
    params: byTurn,
    answers: { 200: Turn },
    async handle({ database }, { params: { turn_id } }) {
      return { body: toWire(await findTurn(database, turn_id)) }
    },
  }),

  route({
    method: 'get',
    path: '/api/turns/:turn_id/events',
    access: 'owner',
    servedWhileDraining: true,
    summary: 'Stream the events of a turn from its start; Last-Event-ID or after= resumes the stream',
    params: byTurn,
    query: z.object({
      after: z.string().max(100).optional().describe('Number of the last event seen, or TURN_ID:NUMBER'),
      conversation_id: id
        .optional()
        .describe('Conversation of the reader; 403 if the turn belongs to another one'),
    }),
    answers: {
      200: z.string().describe('Events: turn, delta, tool, citation, draft, status, snapshot, done, error'),
      204: 'Last-Event-ID is the last event of the turn',
    },
    mediaType: 'text/event-stream',
    stream: TurnEvent,
    async handle(deps, { actor, req, res, params: { turn_id }, query: { after, conversation_id } }) {
      const row = await findTurn(deps.database, turn_id)
      if (conversation_id && conversation_id !== row.conversation_id) {
        throw forbidden(`Turn ${turn_id} belongs to another conversation.`)
      }
      const lastEventId = req.headers['last-event-id']
      const seen = readCursor(after ?? lastEventId, turn_id)
      // An `EventSource` connects again after the end, and stops only at a 204.
      const isEventSource = after === undefined && lastEventId !== undefined
      if (isEventSource && (await deps.companion.hasEnded(row, seen))) return { status: 204 }
      await streamTurn(deps, { actor, res }, { turn: row, after: seen })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/turns/:turn_id/stop',
    access: 'owner',
    servedWhileDraining: true,
    summary: 'Stop a turn on any server; keeps its text so far',
    params: byTurn,
    answers: { 200: Turn },
    async handle({ companion }, { params: { turn_id } }) {
      return { body: toWire(await companion.stop(turn_id)) }
    },
  }),

  route({
    method: 'post',
    path: '/api/turns/:turn_id/show',
    access: 'owner',
    summary: 'Show a hidden version of a message and the turns that followed it',
    params: byTurn,
    answers: { 200: Turn },
    async handle({ database, content: { conversations } }, { params: { turn_id } }) {
      await conversations.showVersion(turn_id)
      return { body: toWire(await findTurn(database, turn_id)) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/turns/:turn_id',
    access: 'owner',
    summary: 'Edit a queued message',
    params: byTurn,
    body: z.strictObject({
      text: z.string().overwrite(cleanText).max(100_000),
      view: Viewed.nullable().optional().describe('Default: the view sent with the message'),
      mentions: z
        .array(id)
        .max(maxMentions)
        .optional()
        .describe('Pages of the Space mentioned in the message. Default: those sent with the message'),
    }),
    answers: { 200: QueuedMessage },
    async handle(deps, { params: { turn_id }, body }) {
      if (body.text.trim() === '') throw invalid('text: must not be empty.')
      const { mentions, ...changes } = body
      const { space_id } = await findTurn(deps.database, turn_id)
      const named = mentions && { mentions: await findMentionedPages(deps, space_id, mentions) }
      return { body: toQueuedMessage(await deps.companion.edit(turn_id, { ...changes, ...named })) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/turns/:turn_id',
    access: 'owner',
    summary: 'Withdraw a queued message',
    params: byTurn,
    answers: { 200: Turn },
    async handle({ companion }, { params: { turn_id } }) {
      return { body: toWire(await companion.withdraw(turn_id)) }
    },
  }),
]

const toWire = ({ body_hash, handovers, ...shown }: TurnRow) => shown

/** The number in a cursor, which may name its turn; 0 for none. Throws a 403 `AppError` for another turn's. */
function readCursor(cursor: string | string[] | undefined, turnId: string): number {
  const [, owner, number] = /^(?:([0-9a-f-]{36}):)?(\d{1,10})$/.exec(String(cursor ?? '').trim()) ?? []
  if (owner && owner !== turnId) throw forbidden(`This cursor does not belong to turn ${turnId}.`)
  return Math.min(Number(number ?? 0), 2 ** 31 - 1)
}
