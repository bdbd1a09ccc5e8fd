import { testModel } from '../../ai/models/test-model.ts'
import { type Price, priceOf, pricesAsOf } from '../../ai/usage/prices.ts'
import { ModelConnection, ModelList, ModelTest, NewModelConnection } from '../../contract/model.ts'
import { route } from '../route.ts'

const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export const modelRoutes = [
  route({
    method: 'get',
    path: '/api/model',
    access: 'owner',
    summary: 'Which model is connected, and who set it',
    answers: { 200: ModelConnection },
    handle: async ({ ai: { connections } }) => ({ body: connections.describe() }),
  }),

  route({
    method: 'put',
    path: '/api/model',
    access: 'owner',
    summary: 'Connect a model, from the next message on. Its key is stored as a secret',
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
    summary: 'Return to the model of the configuration',
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
    summary: 'The models that the provider offers, with what each costs; empty, with the reason, offline',
    answers: { 200: ModelList },
    async handle({ ai: { models, prices } }) {
      const { mode, name: configured } = models.current()
      const { models: listed, problem } = await models.list()
      const items = listed.map((model) => ({ ...model, price: toWire(priceOf(prices, model.id)) }))
      return { body: { items, next_cursor: null, configured, mode, problem, prices_as_of: pricesAsOf } }
    },
  }),

  route({
    method: 'post',
    path: '/api/model/test',
    access: 'owner',
    summary: 'Ask the model for one word, and say what is wrong if it does not answer',
    answers: { 200: ModelTest },
    async handle({ ai: { models, sideModels }, server: { now } }) {
      const current = () => sideModels.measured(models.current(), call)
      return { body: await testModel({ current }, { now }) }
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
