import { z } from 'zod'
import { LiveEvent } from '../../contract/events/live.ts'
import { route } from '../route.ts'
import { endWithSession, openSse } from '../sse.ts'

/** Longer than any id this server gives. */
const maxIdLength = 100

export const eventRoutes = [
  route({
    method: 'get',
    path: '/api/events',
    access: 'owner',
    summary: 'Stream changes as server-sent events; Last-Event-ID resumes the stream',
    answers: {
      200: z
        .string()
        .describe('Events: hello, entity, space, change, conversation, companion, mail, nudge, inbox, turn'),
    },
    mediaType: 'text/event-stream',
    stream: LiveEvent,
    async handle({ server }, { actor, req, res }) {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      const sse = openSse(res, { onClose: close })
      const lastId = req.headers['last-event-id']
      const unsubscribe = server.live.subscribe(
        ({ id, type, data }) => sse.send({ id, type, data }),
        typeof lastId === 'string' ? lastId.slice(0, maxIdLength) : null,
        () => sse.end({ retryMs: 500 }),
      )
      endWithSession({ server }, { actor, res, end: () => sse.end() })
      await closed
      unsubscribe()
      return undefined
    },
  }),
]
