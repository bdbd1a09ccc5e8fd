import { z } from 'zod'
import { route } from '../route.ts'
import { openSse } from '../sse.ts'

/** Longer than any id this server gives. */
const longestId = 100

export const eventRoutes = [
  route({
    method: 'get',
    path: '/api/events',
    access: 'owner',
    summary:
      'What changes, as it changes: one stream for a browser; Last-Event-ID takes up where one broke off',
    answers: { 200: z.string().describe('Events: hello, entity, space, change, inbox, turn') },
    mediaType: 'text/event-stream',
    async handle({ live }, { req, res }) {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      const sse = openSse(res, { onClose: close })
      const lastId = req.headers['last-event-id']
      const unsubscribe = live.subscribe(
        ({ id, type, data }) => sse.send({ id, type, data }),
        typeof lastId === 'string' ? lastId.slice(0, longestId) : null,
        () => sse.end({ retryMs: 500 }),
      )
      await closed
      unsubscribe()
      return undefined
    },
  }),
]
