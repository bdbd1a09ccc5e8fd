import type { Request } from 'express'
import { z } from 'zod'
import type { CallModel } from '../../ai/model.ts'
import { TurnEvent } from '../../contract/events/events.ts'
import { listOf } from '../../contract/list.ts'
import {
  EditedPlan,
  ResearchAnswer,
  type ResearchAsk,
  ResearchBudget,
  ResearchDepth,
  ResearchEvidence,
  ResearchLabels,
  ResearchList,
  ResearchRun,
  ResearchSummary,
} from '../../contract/research.ts'
import { ResearchComparison } from '../../contract/research-comparison.ts'
import { id } from '../../contract/scalars.ts'
import type { Actor } from '../../core/actor.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { Deps } from '../deps.ts'
import { flag, idParams, pageQuery, readIdempotencyKey, route } from '../route.ts'
import { enterSpace } from '../scope.ts'
import { streamTurn } from '../sse.ts'

const byRun = idParams('run_id')
const stream = {
  answers: {
    200: z.string().describe('Events: turn, delta, tool, citation, draft, research, status, done, error'),
  },
  mediaType: 'text/event-stream',
  stream: TurnEvent,
}

export const researchRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/research',
    access: 'owner',
    summary: 'List the research runs of a Space, newest first',
    params: idParams('space_id'),
    query: pageQuery.extend({
      q: z.string().overwrite(cleanLine).max(200).default('').describe('Words in the title or question'),
      label: z.string().overwrite(cleanLine).max(50).default('').describe('Only runs with this label'),
      archived: flag,
      page_id: id.nullable().default(null).describe('Only runs from which this page was drafted'),
    }),
    answers: { 200: ResearchList },
    async handle(deps, { actor, params, query: { cursor: before_id = null, ...rest } }) {
      const { id: space_id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.research.list({ ...rest, space_id, before_id }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/research/:run_id',
    access: 'owner',
    summary: 'Get a research run: plan, stages, claims with verdicts, scores, cost',
    params: byRun,
    answers: { 200: ResearchRun },
    handle: async ({ research }, { params }) => ({ body: await research.find(params.run_id) }),
  }),

  route({
    method: 'patch',
    path: '/api/research/:run_id',
    access: 'owner',
    summary: 'Rename, label or archive a research run',
    params: byRun,
    body: z.strictObject({
      title: z.string().overwrite(cleanLine).min(1).max(200).optional(),
      archived: z.boolean().optional(),
      labels: ResearchLabels.optional().describe('Replaces all labels'),
    }),
    answers: { 200: ResearchRun },
    handle: async ({ research }, { params, body }) => ({
      body: await research.describe(params.run_id, body),
    }),
  }),

  route({
    method: 'get',
    path: '/api/research/:run_id/evidence',
    access: 'owner',
    summary: 'List the passages found by a run, in numerical order',
    params: byRun,
    query: z.object({
      cursor: z.coerce.number().int().min(0).max(1000).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answers: { 200: listOf(ResearchEvidence) },
    handle: async ({ research }, { params: { run_id }, query: { cursor, limit } }) => ({
      body: await research.evidence(run_id, cursor, limit),
    }),
  }),

  route({
    method: 'get',
    path: '/api/research/:run_id/answer.json',
    access: 'owner',
    summary: 'Get the answer of a finished run, with its references and as Markdown',
    params: byRun,
    answers: { 200: ResearchAnswer },
    handle: async ({ research }, { params }) => ({ body: await research.answer(params.run_id) }),
  }),

  route({
    method: 'get',
    path: '/api/research/:run_id/summary.json',
    access: 'owner',
    summary: 'Get the summary of a run that later turns receive',
    params: byRun,
    answers: { 200: ResearchSummary },
    handle: async ({ research }, { params }) => ({ body: await research.summary(params.run_id) }),
  }),

  route({
    method: 'get',
    path: '/api/research/:run_id/comparison',
    access: 'owner',
    summary: 'Compare a repeated run with the previous one: changed passages and verdicts',
    params: byRun,
    answers: { 200: ResearchComparison },
    handle: async ({ research }, { params }) => ({ body: await research.comparison(params.run_id) }),
  }),

  route({
    method: 'post',
    path: '/api/research/:run_id/resume',
    access: 'owner',
    summary: 'Resume a waiting, stopped or failed run; streams the events of a turn',
    params: byRun,
    body: z.strictObject({
      plan: EditedPlan.optional().describe('Replaces the sub-questions or depth'),
      budget: ResearchBudget.partial()
        .optional()
        .describe('Default, if the budget was reached: twice the current one'),
    }),
    ...stream,
    async handle(deps, { actor, req, res, params: { run_id }, body: { plan = null, budget = null } }) {
      await deps.server.limitTurns(req, res)
      const run = await deps.research.find(run_id)
      const text = plan
        ? ['Continue with this plan:', ...plan.sub_questions.map(numbered)].join('\n')
        : 'Continue'
      const turn = await start(deps, { actor, req }, run, {
        text,
        research: { run_id, go_on: true, plan, budget },
      })
      await streamTurn(deps, { actor, res }, { turn, after: 0 })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/research/:run_id/rerun',
    access: 'owner',
    summary: 'Repeat the plan of an earlier run as a new run; streams the events of a turn',
    params: byRun,
    body: z.strictObject({ depth: ResearchDepth.optional().describe('Default: unchanged') }),
    ...stream,
    async handle(deps, { actor, req, res, params: { run_id }, body }) {
      await deps.server.limitTurns(req, res)
      const run = await deps.research.find(run_id)
      const research = { depth: body.depth ?? run.depth, rerun_of: run_id }
      const turn = await start(deps, { actor, req }, run, { text: `Run again: ${run.title}`, research })
      await streamTurn(deps, { actor, res }, { turn, after: 0 })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/research/:run_id/stop',
    access: 'owner',
    servedWhileDraining: true,
    summary: 'Stop a running or waiting run; keeps everything so far',
    params: byRun,
    body: z.strictObject({}),
    answers: { 200: ResearchRun },
    async handle({ companion, research }, { params: { run_id } }) {
      const run = await research.find(run_id)
      if (run.status === 'running') await companion.stop(run.turn_id)
      await research.release(run_id)
      return { body: await research.find(run_id) }
    },
  }),
]

const numbered = (text: string, at: number) => `${at + 1}. ${text}`

/** The turn that carries the run on, in its thread. */
async function start(
  { companion }: Deps,
  { actor, req }: { actor: Actor; req: Request },
  { space_id, conversation_id }: Pick<ResearchRun, 'space_id' | 'conversation_id'>,
  { text, research }: { text: string; research: ResearchAsk },
): Promise<TurnRow> {
  const callModel: CallModel | undefined = req.app.locals.callModel
  return await companion.start(actor, {
    space_id,
    conversation_id,
    message: { text, research },
    callModel,
    idempotency_key: readIdempotencyKey(req),
    queue: false,
  })
}
