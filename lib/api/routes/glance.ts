import { z } from 'zod'
import type { CallModel } from '../../ai/model.ts'
import { imageProblem } from '../../companion/prompt/read-image.ts'
import {
  Glance,
  GlanceDecision,
  GlanceRequest,
  GlanceSettings,
  GlanceSettingsChange,
  GlanceVerdict,
} from '../../contract/companion/glance.ts'
import { listOf } from '../../contract/list.ts'
import { invalid } from '../../core/errors.ts'
import { flag, idParams, page, pageQuery, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')

export const glanceRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/glance',
    access: 'owner',
    summary: 'Evaluate the current view; returns one sentence or, usually, nothing',
    limit: { requests: 600, windowMs: 60_000 },
    params: inSpace,
    body: GlanceRequest,
    bodyLimit: '8mb',
    answers: { 200: GlanceDecision },
    async handle(deps, { actor, params, req, body: { view = null, image = null, mode = null, typing } }) {
      const { id: space_id } = await enterSpace(deps, actor, params.space_id)
      const problem = image && imageProblem(Buffer.from(image.data, 'base64'), image.media_type)
      if (problem) throw invalid(`image: ${problem}`)
      const callModel: CallModel | null = req.app.locals.callModel ?? null
      const source = image ? ('image' as const) : ('view' as const)
      return { body: await deps.glance.look({ space_id, source, view, image, mode, typing, callModel }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/glances',
    access: 'owner',
    summary: 'List glance decisions with reasons and verdicts, latest first',
    params: inSpace,
    query: pageQuery.extend({
      nudges: flag.describe('Only nudges, including those of shadow mode'),
      open: flag.describe('Only nudges shown within the last day that have no verdict'),
    }),
    answers: { 200: listOf(Glance) },
    async handle(deps, { actor, params, query: { cursor: before_id = null, limit, nudges, open } }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      const rows = await deps.glance.list(id, { nudges, open, before_id, limit: limit + 1 })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/glances/:id',
    access: 'owner',
    summary: 'Rate a nudge',
    params: idParams('id'),
    body: z.strictObject({ verdict: GlanceVerdict }),
    answers: { 200: Glance },
    handle: async ({ glance }, { params, body }) => ({ body: await glance.judge(params.id, body.verdict) }),
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/glance-settings',
    access: 'owner',
    summary: 'Get the mode, limits, results and daily cost of the glance',
    params: inSpace,
    answers: { 200: GlanceSettings },
    async handle(deps, { actor, params }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.glance.settings(id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/glance-settings',
    access: 'owner',
    summary: 'Update glance settings: mode, snooze, limits, muted senders and kinds',
    params: inSpace,
    body: GlanceSettingsChange,
    answers: { 200: GlanceSettings },
    async handle(deps, { actor, params, body, req }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      const settings = await deps.glance.change(id, body)
      req.log.info({ address: req.ip, space_id: id, mode: settings.mode }, 'glance settings changed')
      return { body: settings }
    },
  }),
]
