import { z } from 'zod'
import { testModel } from '../../companion/test-model.ts'
import { route } from '../route.ts'

const call = { purpose: 'test', space_id: null, conversation_id: null, turn_id: null } as const

export const modelRoutes = [
  route({
    method: 'post',
    path: '/api/model/test',
    access: 'owner',
    summary: 'Ask the model for one word, and say what is wrong if it does not answer',
    answers: {
      200: z.object({
        ok: z.boolean(),
        code: z.string().describe('`ok`, `no_key`, `key_unreadable`, or the code of the model error'),
        message: z.string().describe('What happened'),
        advice: z.string().nullable().describe('What to do about it'),
        model: z.string(),
        duration_ms: z.int(),
      }),
    },
    async handle({ models, sideModels, now }) {
      const current = () => sideModels.measured(models.current(), call)
      return { body: await testModel({ current }, { now }) }
    },
  }),
]
