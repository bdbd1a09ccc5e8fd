import { z } from 'zod'
import { PasskeyAnswer, SignInCode } from '../../contract/auth.ts'
import { signBrowserIn, signBrowserInByPasskey, signBrowserOut } from '../browser-session.ts'
import { type Guard, readSession } from '../guard.ts'
import { ownAddress } from '../own-address.ts'
import { route } from '../route.ts'
import { confirmationRoutes } from './confirmation.ts'

/** Signing this browser in and out. */
export function sessionRoutes(guard: Guard) {
  return [
    route({
      method: 'post',
      path: '/api/session',
      access: 'public',
      summary: 'Sign in: exchange the owner’s token or a one-time code for a session cookie',
      body: z.strictObject({ token: z.string().min(1).max(500) }),
      answers: { 204: 'Signed in' },
      async handle({ server }, { req, res, body: { token } }) {
        await signBrowserIn({ guard, server }, { req, res }, token)
        return { status: 204 }
      },
    }),

    route({
      method: 'post',
      path: '/api/session/passkey',
      access: 'public',
      summary: 'Finish a sign-in that was answered with 403 passkey_required',
      body: PasskeyAnswer,
      answers: { 204: 'Signed in' },
      async handle({ server }, { req, res, body }) {
        await signBrowserInByPasskey({ guard, server }, { req, res }, body)
        return { status: 204 }
      },
    }),

    ...confirmationRoutes(guard),

    route({
      method: 'delete',
      path: '/api/session',
      access: 'owner',
      summary: 'Sign this browser out',
      answers: { 204: 'Signed out' },
      async handle({ server: { authentication } }, { req, res }) {
        const session = readSession(req)
        if (session) await authentication.closeSession(session)
        signBrowserOut(req, res)
        return { status: 204 }
      },
    }),

    route({
      method: 'post',
      path: '/api/session/codes',
      access: 'owner',
      summary: 'Create a code that signs one browser in within ten minutes, and the link that holds it',
      answers: { 201: SignInCode },
      async handle({ server: { authentication, publicUrl } }, { req }) {
        const { code, expires_at } = await authentication.createSignInCode()
        const url = `${ownAddress(req, publicUrl)}/sign-in?code=${code}`
        return { status: 201, body: { code, url, expires_at } }
      },
    }),
  ]
}
