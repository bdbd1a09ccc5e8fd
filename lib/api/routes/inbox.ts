import { z } from 'zod'
import { loadCard } from '../../changes/cards.ts'
import type { CardLine, PendingChange } from '../../contract/card.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { card, id, listOf, page, pageQuery, pendingChange } from '../schemas.ts'

const cardLine = card.omit({ fields: true, references: true, note: true, conflicts: true })

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
    async handle(deps, { query: { tab, space_id, agent_id, entity_type, status, cursor, limit } }) {
      const rows = await createPendingChangesRepo(deps.database).listInbox({
        waiting: tab === 'waiting',
        space_id: space_id ?? null,
        agent_id: agent_id ?? null,
        entity_type: entity_type ?? null,
        status: status ?? null,
        before_id: cursor ?? null,
        limit: limit + 1,
      })
      const { items, next_cursor } = page(rows, limit)
      const lines: CardLine[] = []
      for (const change of items) lines.push(await loadLine(deps, change))
      return { body: { items: lines, next_cursor } }
    },
  }),
]

async function loadLine({ database, kinds }: Deps, change: PendingChange): Promise<CardLine> {
  const { fields, references, note, conflicts, stale, ...line } = await loadCard(database, kinds, change)
  if (!stale) return { ...line, stale }
  const { since, ...versions } = stale
  return { ...line, stale: versions }
}
