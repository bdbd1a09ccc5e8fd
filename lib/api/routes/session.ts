import { z } from 'zod'
import {
  Confirmation,
  NewPasskey,
  OwnerSession,
  Passkey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  SecretOrPasskey,
  SignInCode,
} from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { notFound } from '../../core/errors.ts'
import {
  requireConfirmation,
  requireSession,
  signBrowserIn,
  signBrowserInByPasskey,
  signBrowserOut,
} from '../browser-session.ts'
import { type Guard, readSession } from '../guard.ts'
import { idParams, ownAddress, route } from '../route.ts'

/** Signing this browser in and out. */
export function sessionRoutes(guard: Guard) {
  return [
    route({
      method: 'post',
      path: '/api/session',
      access: 'public',
      summary: 'Sign in with the owner token or a one-time code; sets a session cookie',
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
      summary: 'Complete a sign-in that requires a passkey (403 passkey_required)',
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
      summary: 'Sign out this browser',
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
      summary: 'Create a one-time sign-in code and link, valid for ten minutes',
      answers: { 201: SignInCode },
      async handle({ server: { authentication, publicUrl } }, { req }) {
        const { code, expires_at } = await authentication.createSignInCode()
        const url = `${ownAddress(req, publicUrl)}/sign-in?code=${code}`
        return { status: 201, body: { code, url, expires_at } }
      },
    }),
  ]
}

/** Confirming that it is still the owner who uses a browser that is signed in. */
function confirmationRoutes(guard: Guard) {
  return [
    route({
      method: 'post',
      path: '/api/session/challenge',
      access: 'owner',
      summary: 'Get the confirmation method of this session and, if it is a passkey, the request options',
      answers: { 200: Confirmation },
      async handle({ server: { authentication, publicUrl } }, { actor, req }) {
        const use = { purpose: 'confirm', session_id: requireSession(actor) } as const
        return {
          body: { passkey: await authentication.passkeys.challenge(use, ownAddress(req, publicUrl)) },
        }
      },
    }),

    route({
      method: 'post',
      path: '/api/session/confirm',
      access: 'owner',
      summary:
        'Confirm this session for fifteen minutes with a passkey or, if there is none, the owner token or a code',
      body: SecretOrPasskey,
      answers: { 204: 'Confirmed' },
      async handle({ server: { authentication, publicUrl } }, { actor, req, res, body }) {
        const session = requireSession(actor)
        await guard.attempt(req, res, () =>
          authentication.confirmSession(session, body, ownAddress(req, publicUrl)),
        )
        return { status: 204 }
      },
    }),
  ]
}

/** The browsers that are signed in. */
export const signedInRoutes = [
  route({
    method: 'get',
    path: '/api/sessions',
    access: 'owner',
    summary: 'List signed-in browsers, most recently used first',
    answers: { 200: listOf(OwnerSession) },
    async handle({ server: { authentication } }, { actor }) {
      const current = actor.kind === 'owner' ? actor.session_id : null
      return { body: { items: await authentication.listSessions(current ?? null), next_cursor: null } }
    },
  }),

  route({
    method: 'delete',
    path: '/api/sessions/:id',
    access: 'owner',
    summary: 'Sign out a browser',
    params: idParams('id'),
    answers: { 204: 'Signed out' },
    async handle({ server }, { actor, params: { id } }) {
      await requireConfirmation({ server }, actor)
      if (!(await server.authentication.closeSessionById(id))) throw notFound('session', id)
      return { status: 204 }
    },
  }),

  route({
    method: 'delete',
    path: '/api/sessions',
    access: 'owner',
    summary: 'Sign out all browsers, including this one',
    answers: { 204: 'Signed out everywhere' },
    async handle({ server }, { actor, req, res }) {
      await requireConfirmation({ server }, actor)
      await server.authentication.closeAllSessions()
      signBrowserOut(req, res)
      return { status: 204 }
    },
  }),
]

/** The owner's passkeys. */
export const passkeyRoutes = [
  route({
    method: 'get',
    path: '/api/passkeys',
    access: 'owner',
    summary: 'List passkeys, oldest first',
    answers: { 200: listOf(Passkey) },
    async handle({ server: { authentication } }) {
      return { body: { items: await authentication.passkeys.list(), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/passkeys/options',
    access: 'owner',
    summary: 'Get the options for creating a passkey',
    answers: { 200: PasskeyCreationOptions },
    async handle({ server }, { actor, req }) {
      const session = requireSession(actor)
      await requireConfirmation({ server }, actor)
      const address = ownAddress(req, server.publicUrl)
      return { body: await server.authentication.passkeys.offer(session, address) }
    },
  }),

  route({
    method: 'post',
    path: '/api/passkeys',
    access: 'owner',
    summary: 'Add a passkey',
    body: NewPasskey,
    answers: { 201: Passkey },
    async handle({ server }, { actor, req, body }) {
      const address = ownAddress(req, server.publicUrl)
      const passkey = await server.authentication.passkeys.add(body, requireSession(actor), address)
      req.log.info({ address: req.ip, passkey: passkey.id }, 'passkey added')
      return { status: 201, body: passkey }
    },
  }),

  route({
    method: 'delete',
    path: '/api/passkeys/:id',
    access: 'owner',
    summary: 'Remove a passkey',
    params: idParams('id'),
    answers: { 204: 'Removed' },
    async handle({ server }, { actor, req, params: { id } }) {
      await requireConfirmation({ server }, actor)
      if (!(await server.authentication.passkeys.remove(id))) throw notFound('passkey', id)
      req.log.info({ address: req.ip, passkey: id }, 'passkey removed')
      return { status: 204 }
    },
  }),

  route({
    method: 'delete',
    path: '/api/passkeys',
    access: 'owner',
    summary: 'Remove all passkeys',
    answers: { 200: z.object({ removed: z.int() }) },
    async handle({ server }, { actor, req }) {
      await requireConfirmation({ server }, actor)
      const removed = await server.authentication.passkeys.removeAll()
      req.log.info({ address: req.ip, removed }, 'passkeys removed')
      return { body: { removed } }
    },
  }),
]
