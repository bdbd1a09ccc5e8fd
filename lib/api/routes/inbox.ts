import { z } from 'zod'
import { loadCardLines } from '../../changes/cards.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { cardLine } from '../card-schema.ts'
import { route } from '../route.ts'
import { id, listOf, page, pageQuery, pendingChange } from '../schemas.ts'

export const inboxRoutes = [
  route({
    method: 'get',
    path: '/api/inbox',
    access: 'owner',
    summary: 'How many drafts wait for the owner, in all Spaces',
    answers: { 200: z.object({ count: z.int() }) },
    async handle({ database }) {
      return { body: { count: await createPendingChangesRepo(database).countPending() } }
    },
  }),

  route({
    method: 'get',
    path: '/api/inbox/lines',
    access: 'owner',
    summary:
      'The drafts that wait, newest first, or those decided, latest first: their cards without the changes',
    query: pageQuery.extend({
      tab: z.enum(['waiting', 'decided']).default('waiting'),
      space_id: id.optional(),
      agent_id: id.optional(),
      entity_type: z.string().max(40).optional(),
      status: pendingChange.shape.status.optional(),
    }),
    answers: { 200: listOf(cardLine) },
    async handle(
      { database, kinds },
      { query: { tab, space_id, agent_id, entity_type, status, cursor, limit } },
    ) {
      const rows = await createPendingChangesRepo(database).listInbox({
        waiting: tab === 'waiting',
        space_id: space_id ?? null,
        agent_id: agent_id ?? null,
        entity_type: entity_type ?? null,
        status: status ?? null,
        before_id: cursor ?? null,
        limit: limit + 1,
      })
      const { items, next_cursor } = page(rows, limit)
      return { body: { items: await loadCardLines(database, kinds, items), next_cursor } }
    },
  }),
]
