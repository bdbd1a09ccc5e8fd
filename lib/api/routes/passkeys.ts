import { z } from 'zod'
import { NewPasskey, Passkey, PasskeyCreationOptions } from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { notFound } from '../../core/errors.ts'
import { ownAddress } from '../own-address.ts'
import { idParams } from '../params.ts'
import { requireConfirmation, requireSession } from '../require-confirmation.ts'
import { route } from '../route.ts'

/** The owner's passkeys. */
export const passkeyRoutes = [
  route({
    method: 'get',
    path: '/api/passkeys',
    access: 'owner',
    summary: 'List the passkeys, oldest first',
    answers: { 200: listOf(Passkey) },
    async handle({ server: { authentication } }) {
      return { body: { items: await authentication.passkeys.list(), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/passkeys/options',
    access: 'owner',
    summary: 'Ask what a device makes a passkey of',
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
    summary: 'Add the passkey that a device has made',
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
    summary: 'Remove every passkey',
    answers: { 200: z.object({ removed: z.int() }) },
    async handle({ server }, { actor, req }) {
      await requireConfirmation({ server }, actor)
      const removed = await server.authentication.passkeys.removeAll()
      req.log.info({ address: req.ip, removed }, 'passkeys removed')
      return { body: { removed } }
    },
  }),
]
