import { OwnerSession } from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { notFound } from '../../core/errors.ts'
import { signBrowserOut } from '../browser-session.ts'
import { idParams } from '../params.ts'
import { requireConfirmation } from '../require-confirmation.ts'
import { route } from '../route.ts'

/** The browsers that are signed in. */
export const signedInRoutes = [
  route({
    method: 'get',
    path: '/api/sessions',
    access: 'owner',
    summary: 'List the browsers that are signed in, last used first',
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
    summary: 'Sign a browser out',
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
    summary: 'Sign every browser out, this one included',
    answers: { 204: 'Signed out everywhere' },
    async handle({ server }, { actor, req, res }) {
      await requireConfirmation({ server }, actor)
      await server.authentication.closeAllSessions()
      signBrowserOut(req, res)
      return { status: 204 }
    },
  }),
]
