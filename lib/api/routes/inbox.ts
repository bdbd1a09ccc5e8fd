import { z } from 'zod'
import { measureAttention, recordShown } from '../../changes/attention.ts'
import { loadCardLines } from '../../changes/card/load-card-lines.ts'
import { Attention } from '../../contract/attention.ts'
import { CardLine } from '../../contract/changes/card.ts'
import { ChangeStatus } from '../../contract/changes/decision.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import { bounded } from '../../contract/space/home.ts'
import { idParams, page, pageQuery, route } from '../route.ts'

export const inboxRoutes = [
  route({
    method: 'get',
    path: '/api/inbox',
    access: 'owner',
    summary: 'Count pending drafts in all Spaces',
    answers: { 200: z.object({ count: bounded }) },
    async handle({ repos }) {
      return { body: { count: await repos.pendingChangeLists.countPending() } }
    },
  }),

  route({
    method: 'get',
    path: '/api/inbox/lines',
    access: 'owner',
    summary: 'List pending drafts, newest first, or decided ones, latest first; cards without changes',
    query: pageQuery.extend({
      tab: z.enum(['waiting', 'decided']).default('waiting'),
      space_id: id.optional(),
      agent_id: id.optional(),
      entity_type: z.string().max(40).optional(),
      status: ChangeStatus.optional(),
    }),
    answers: { 200: listOf(CardLine) },
    async handle(
      { repos, database, kinds },
      { query: { tab, space_id, agent_id, entity_type, status, cursor, limit } },
    ) {
      const rows = await repos.pendingChangeLists.listInbox({
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

export const attentionRoutes = [
  route({
    method: 'get',
    path: '/api/attention',
    access: 'owner',
    summary: 'Get decision statistics: counts, speed and undone approvals',
    answers: { 200: Attention },
    async handle({ database }) {
      return { body: await measureAttention(database) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pending-changes/:id/shown',
    access: 'owner',
    summary: 'Record that the owner saw a draft; only the first call counts',
    params: idParams('id'),
    answers: { 204: 'Recorded' },
    async handle({ database }, { params: { id } }) {
      await recordShown(database, id)
      return { status: 204 }
    },
  }),
]
