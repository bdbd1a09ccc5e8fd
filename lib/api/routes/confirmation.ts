import { Confirmation, SecretOrPasskey } from '../../contract/auth.ts'
import type { Guard } from '../guard.ts'
import { ownAddress } from '../own-address.ts'
import { requireSession } from '../require-confirmation.ts'
import { route } from '../route.ts'

/** Confirming that it is still the owner who uses a browser that is signed in. */
export function confirmationRoutes(guard: Guard) {
  return [
    route({
      method: 'post',
      path: '/api/session/challenge',
      access: 'owner',
      summary: 'Ask how this session is confirmed; for a passkey, what to ask the device for',
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
        'Confirm this session for fifteen minutes, by a passkey, or without one by the owner’s token or a code',
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
