import { z } from 'zod'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import type { QueuedTurn } from '../../db/repos/queued_turns.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'
import { streamTurn } from '../stream-turn.ts'

const byTurn = idParams('turn_id')

const turn = z.object({
  id,
  space_id: id,
  conversation_id: id,
  agent_id: id,
  status: z.enum(['queued', 'running', 'done', 'failed', 'stopped']),
  idempotency_key: z.string().nullable(),
  attempt: z.int(),
  model: z.string().nullable(),
  stop_reason: z.string().nullable(),
  usage: z.record(z.string(), z.number()).nullable(),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
  stop_requested_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
})

/** A message that waits. */
export const queuedTurn = z.object({ turn_id: id, text: z.string(), created_at: z.iso.datetime() })

export const toQueued = ({ id, asked, created_at }: QueuedTurn) => ({
  turn_id: id,
  text: asked.text,
  created_at,
})

export const turnRoutes = [
  route({
    method: 'get',
    path: '/api/turns/:turn_id',
    access: 'owner',
    summary: 'Read how a turn stands',
    params: byTurn,
    answers: { 200: turn },
    async handle(deps, { params: { turn_id } }) {
      return { body: toWire(await findTurn(deps, turn_id)) }
    },
  }),

  route({
    method: 'get',
    path: '/api/turns/:turn_id/events',
    access: 'owner',
    summary:
      'The events of a turn, past and to come; Last-Event-ID or after= takes up where a reader broke off',
    params: byTurn,
    query: z.object({
      after: z.string().max(100).optional().describe('Number of the last event seen, or TURN_ID:NUMBER'),
      conversation_id: id.optional().describe('Where the reader is; a turn of another conversation is 403'),
    }),
    answers: {
      200: z.string().describe('Events: turn, delta, tool, citation, draft, status, snapshot, done, error'),
    },
    mediaType: 'text/event-stream',
    async handle(deps, { req, res, params: { turn_id }, query: { after, conversation_id } }) {
      const row = await findTurn(deps, turn_id)
      if (conversation_id && conversation_id !== row.conversation_id) {
        throw forbidden(`Turn ${turn_id} belongs to another conversation.`)
      }
      const seen = readCursor(after ?? req.headers['last-event-id'], turn_id)
      await streamTurn(deps.companion, res, { turn: row, after: seen })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/turns/:turn_id/stop',
    access: 'owner',
    summary: 'Stop a turn, wherever it runs; what it has said is kept',
    params: byTurn,
    answers: { 200: turn },
    async handle({ companion }, { params: { turn_id } }) {
      return { body: toWire(await companion.stop(turn_id)) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/turns/:turn_id',
    access: 'owner',
    summary: 'Change a message that still waits for its turn',
    params: byTurn,
    body: z.strictObject({
      text: z.string().overwrite(cleanText).max(100_000),
      view: z
        .strictObject({ entityType: z.string().max(40), entityId: id })
        .nullable()
        .optional()
        .describe('Left out: what was looked at when it was said'),
    }),
    answers: { 200: queuedTurn },
    async handle({ companion }, { params: { turn_id }, body }) {
      if (body.text.trim() === '') throw invalid('text: say something.')
      return { body: toQueued(await companion.edit(turn_id, body)) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/turns/:turn_id',
    access: 'owner',
    summary: 'Take back a message that still waits for its turn',
    params: byTurn,
    answers: { 200: turn },
    async handle({ companion }, { params: { turn_id } }) {
      return { body: toWire(await companion.withdraw(turn_id)) }
    },
  }),
]

/** A turn goes with its conversation when that is deleted, and comes back with it. */
async function findTurn({ database }: Deps, turnId: string): Promise<TurnRow> {
  const row = await createTurnsRepo(database).find(turnId)
  const conversation = row && (await createConversationsRepo(database).findAnywhere(row.conversation_id))
  if (!row || !conversation) throw notFound('turn', turnId)
  return row
}

const toWire = ({ body_hash, ...shown }: TurnRow) => shown

/** The number in a cursor, which may name its turn; 0 for none. Throws a 403 `AppError` for another turn's. */
function readCursor(cursor: string | string[] | undefined, turnId: string): number {
  const [, owner, number] = /^(?:([0-9a-f-]{36}):)?(\d{1,10})$/.exec(String(cursor ?? '').trim()) ?? []
  if (owner && owner !== turnId) throw forbidden(`This cursor belongs to another turn than ${turnId}.`)
  return Math.min(Number(number ?? 0), 2 ** 31 - 1)
}
