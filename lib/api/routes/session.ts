import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Guard } from '../guard.ts'
import { route } from '../route.ts'
import { readSession, writeSession } from '../session-cookie.ts'

/** Signing a browser in and out. */
export function sessionRoutes(guard: Guard) {
  return [
    route({
      method: 'post',
      path: '/api/session',
      access: 'public',
      summary: 'Exchange the owner’s token for a session cookie',
      body: z.strictObject({ token: z.string().min(1).max(500) }),
      answers: { 204: 'Signed in' },
      async handle({ authentication }, { req, res, body: { token } }) {
        try {
          const { session, maxAgeMs } = await authentication.openSession(token)
          writeSession(req, res, session, maxAgeMs)
        } catch (error) {
          if (error instanceof AppError && error.status === 401) await guard.countFailure(req, res)
          throw error
        }
        return { status: 204 }
      },
    }),

    route({
      method: 'delete',
      path: '/api/session',
      access: 'owner',
      summary: 'Sign this browser out',
      answers: { 204: 'Signed out' },
      async handle({ authentication }, { req, res }) {
        const session = readSession(req)
        if (session) await authentication.closeSession(session)
        writeSession(req, res, '', 0)
        return { status: 204 }
      },
    }),
  ]
}
