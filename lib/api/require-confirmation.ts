import type { Actor } from '../core/actor.ts'
import { AppError, forbidden } from '../core/errors.ts'
import type { Deps } from './deps.ts'

/**
 * For what must not be done by whoever finds a browser open: throws a 403 `AppError` unless its session was signed in or
 * confirmed a short time ago. A bearer token is shown with every request.
 */
export async function requireConfirmation({ server }: Pick<Deps, 'server'>, actor: Actor): Promise<void> {
  if (actor.kind !== 'owner' || !actor.session_id) return
  if (await server.authentication.isConfirmed(actor.session_id)) return
  throw new AppError(
    'confirmation_required',
    403,
    'Confirm that it is you (POST /api/session/confirm), then try again.',
  )
}

/** The browser session that asks; a 403 `AppError` for a bearer token, which has none. */
export function requireSession(actor: Actor): string {
  if (actor.kind === 'owner' && actor.session_id) return actor.session_id
  throw forbidden('Only a browser that is signed in can do this.')
}
