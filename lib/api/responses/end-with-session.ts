import type { Response } from 'express'
import type { Actor } from '../../core/actor.ts'
import type { Deps } from '../deps.ts'

/** Calls `end` when the browser session that opened a stream is signed out, as long as the stream is open. */
export function endWithSession(
  { server: { authentication } }: Pick<Deps, 'server'>,
  { actor, res, end }: { actor: Actor; res: Response; end: () => void },
): void {
  if (actor.kind !== 'owner' || !actor.session_id) return
  res.once('close', authentication.watchSession(actor.session_id, end))
}
