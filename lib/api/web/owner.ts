import type { Request, Response } from 'express'
import type { Actor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import type { Guard } from '../guard.ts'
import { safeNext } from './next-address.ts'
import { isForeignNavigation, sendRefresh } from './send-page.ts'

/** The owner, if it is the owner who asks. */
export async function findOwner(guard: Guard, req: Request, res: Response): Promise<Actor | null> {
  try {
    return await guard.admit('owner', req, res)
  } catch (error) {
    if (error instanceof AppError && (error.status === 401 || error.status === 403)) return null
    throw error
  }
}

/**
 * Answers whoever is not signed in. The session cookie is not sent with a link on another site: the same address is
 * requested again, from here.
 */
export function bounceOrSignIn(req: Request, res: Response): void {
  if (isForeignNavigation(req)) sendRefresh(res, safeNext(req.originalUrl))
  else if (req.path === '/') res.redirect(303, '/sign-in')
  else res.redirect(303, `/sign-in?next=${encodeURIComponent(req.originalUrl)}`)
}
