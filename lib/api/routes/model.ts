import { testModel } from '../../ai/models/test-model.ts'
import { ModelList, ModelTest } from '../../contract/model.ts'
import { type Price, priceOf, pricesAsOf } from '../../usage/prices.ts'
import { route } from '../route.ts'

const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export const modelRoutes = [
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
