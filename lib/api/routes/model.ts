import { z } from 'zod'
import { findLocalModels } from '../../ai/models/list-models.ts'
import { testModel, testTimeoutOf } from '../../ai/models/test-model.ts'
import { type Price, priceOf, pricesAsOf } from '../../ai/usage/prices.ts'
import { loadUsagePage } from '../../ai/usage/usage-page.ts'
import { TrialEvent, TrialPlan } from '../../contract/companion/trial.ts'
import { Budget, UsageGrouping, UsageReport } from '../../contract/companion/usage.ts'
import {
  LocalModels,
  ModelConnection,
  ModelList,
  ModelTest,
  modelName,
  NewModelConnection,
} from '../../contract/model.ts'
import { id } from '../../contract/scalars.ts'
import { route } from '../route.ts'
import { endWithSession, openSse } from '../sse.ts'

const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export const modelRoutes = [
  route({
    method: 'get',
    path: '/api/model',
    access: 'owner',
    summary: 'Get the connected model and where it is configured',
    answers: { 200: ModelConnection },
    handle: async ({ ai: { connections } }) => ({ body: connections.describe() }),
  }),

  route({
    method: 'put',
    path: '/api/model',
    access: 'owner',
    summary: 'Connect a model, effective from the next message. The key is stored as a secret',
    body: NewModelConnection,
    answers: { 200: ModelConnection },
    async handle({ ai: { connections }, companion, server: { live } }, { req, body }) {
      await connections.save(body)
      live.publish({ type: 'companion', data: { id: (await companion.agent()).id } })
      req.log.info({ address: req.ip, model: body.model, base_url: body.base_url }, 'model connected')
      return { body: connections.describe() }
    },
  }),

  route({
    method: 'delete',
    path: '/api/model',
    access: 'owner',
    summary: 'Reset to the model of the configuration',
    answers: { 200: ModelConnection },
    async handle({ ai: { connections }, companion, server: { live } }, { req }) {
      await connections.reset()
      live.publish({ type: 'companion', data: { id: (await companion.agent()).id } })
      req.log.info({ address: req.ip }, 'model connection reset')
      return { body: connections.describe() }
    },
  }),

  route({
    method: 'get',
    path: '/api/models',
    access: 'owner',
    summary: 'List the models of the provider with prices; empty, with a reason, if unavailable',
    answers: { 200: ModelList },
    async handle({ ai: { models, prices } }) {
      const { mode, name: configured } = models.current()
      const { models: listed, problem } = await models.list()
      const items = listed.map(({ id, name }) => ({ id, name, price: toWire(priceOf(prices, id)) }))
      return { body: { items, next_cursor: null, configured, mode, problem, prices_as_of: pricesAsOf } }
    },
  }),

  route({
    method: 'get',
    path: '/api/model/local',
    access: 'owner',
    summary: 'Find a model server that runs on this machine at its usual address',
    answers: { 200: LocalModels },
    handle: async () => ({ body: { items: await findLocalModels() } }),
  }),

  route({
    method: 'post',
    path: '/api/model/test',
    access: 'owner',
    summary: 'Test the model with a one-word request, and find out what its server takes',
    answers: { 200: ModelTest },
    async handle({ ai: { connections, models, sideModels }, server: { now } }) {
      const current = () => sideModels.measured(models.current(), call)
      const { probe } = models
      const timeoutMs = testTimeoutOf(connections.current())
      return { body: await testModel({ current, ...(probe ? { probe } : {}) }, { now, timeoutMs }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/model/trial',
    access: 'owner',
    summary: 'Estimate what a trial of the connected model takes',
    answers: { 200: TrialPlan },
    handle: async ({ modelTrial }) => ({ body: modelTrial.plan() }),
  }),

  route({
    method: 'post',
    path: '/api/model/trial',
    access: 'owner',
    summary:
      'Try the connected model on ten tasks, in a Space that is made for it and removed; ends when the reader disconnects',
    body: z.strictObject({ model: modelName.describe('Model of the estimate that the owner accepted') }),
    answers: { 200: z.string().describe('Events: task, result, error') },
    mediaType: 'text/event-stream',
    stream: TrialEvent,
    async handle({ modelTrial, server }, { actor, req, res, body }) {
      const gone = new AbortController()
      const events = modelTrial.start(body.model, gone.signal)
      req.log.info({ address: req.ip, model: body.model }, 'model trial started')
      const sse = openSse(res, { onClose: () => gone.abort() })
      endWithSession({ server }, { actor, res, end: () => gone.abort() })
      let id = 0
      for await (const { type, data } of events) {
        id += 1
        sse.send({ id, type, data })
      }
      sse.end()
      return undefined
    },
  }),
]

const toWire = (price: Price | null) =>
  price && {
    input: price.input,
    output: price.output,
    cache_read: price.cacheRead,
    cache_write: price.cacheWrite,
  }

const day = z.iso.date()

export const usageRoutes = [
  route({
    method: 'get',
    path: '/api/usage',
    access: 'owner',
    summary: 'Get model usage and cost by day, agent, model, conversation, turn or purpose',
    query: z.object({
      by: UsageGrouping.default('day'),
      from: day.optional().describe('First day. Default: 30 days, ending with `to`'),
      to: day.optional().describe('Last day. Default: today'),
      space_id: id.optional(),
      agent: z.string().max(80).optional().describe('Slug of the agent'),
      model: z.string().max(200).optional(),
      conversation_id: id.optional(),
      turn_id: id.optional(),
      cursor: z.coerce.number().int().min(0).default(0).describe('next_cursor of the previous page'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    answers: { 200: UsageReport },
    async handle({ database, ai, server }, { query }) {
      const { space_id = null, agent = null, model = null, conversation_id = null, turn_id = null } = query
      const { by, from, to, cursor, limit } = query
      const narrowed = { space_id, agent, model, conversation_id, turn_id }
      const parts = { database, budget: ai.budget, prices: ai.prices, calendar: server.ownerZone.calendar }
      return { body: await loadUsagePage(parts, { by, from, to, cursor, limit, ...narrowed }) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/usage/budget',
    access: 'owner',
    summary: 'Set the daily token budget',
    body: z.strictObject({
      daily_tokens: z.int().min(0).max(1e12).nullable().describe('0: no limit; null: the configured budget'),
    }),
    answers: { 200: Budget },
    async handle({ ai: { budget } }, { body }) {
      return { body: await budget.set(body.daily_tokens) }
    },
  }),
]
