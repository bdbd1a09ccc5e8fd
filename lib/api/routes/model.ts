import { testModel } from '../../ai/models/test-model.ts'
import { ModelTest } from '../../contract/model.ts'
import { route } from '../route.ts'

const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export const modelRoutes = [
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
