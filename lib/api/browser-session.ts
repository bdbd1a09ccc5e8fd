// Signing a browser in and out: the cookie, what the browser keeps, and the line in the log.

import type { Request, Response } from 'express'
import { deviceOf } from '../auth/passkeys.ts'
import type { Browser, OpenedSession } from '../auth/sign-in.ts'
import type { PasskeyAnswer } from '../contract/auth.ts'
import type { Actor } from '../core/actor.ts'
import { AppError, forbidden } from '../core/errors.ts'
import { baseOf } from './base-path.ts'
import type { Deps } from './deps.ts'
import { type Guard, readSession, writeSession } from './guard.ts'
import { ownAddress } from './route.ts'

type Parts = { guard: Guard; server: Deps['server'] }

type Asked = { req: Request; res: Response }

/**
 * Trades the owner's token, or a one-time code, for a session cookie; the session it replaces ends. Throws as
 * `Guard.attempt` and `SignIn.openSession` do.
 */
export async function signBrowserIn(parts: Parts, asked: Asked, secret: string): Promise<void> {
  await signIn(parts, asked, (browser) => parts.server.authentication.openSession(secret, browser))
}

/** Ends a sign-in that waited for a passkey, likewise. */
export async function signBrowserInByPasskey(
  parts: Parts,
  asked: Asked,
  answer: PasskeyAnswer,
): Promise<void> {
  await signIn(parts, asked, (browser) => parts.server.authentication.openConfirmedSession(answer, browser))
}

async function signIn(
  { guard, server }: Parts,
  { req, res }: Asked,
  open: (browser: Browser) => Promise<OpenedSession>,
): Promise<void> {
  const device = deviceOf(req.headers['user-agent'])
  const address = ownAddress(req, server.publicUrl)
  const { session, maxAgeMs } = await guard.attempt(req, res, () => open({ device, address }))
  const former = readSession(req)
  if (former) await server.authentication.closeSession(former)
  writeSession(req, res, session, maxAgeMs)
  req.log.info({ address: req.ip, device }, 'signed in')
}

/** Removes the cookie and whatever the browser has stored of this site, such as unsaved text and names of tabs. */
export function signBrowserOut(req: Request, res: Response): void {
  writeSession(req, res, '', 0)
  // Storage is that of the host: below a path, other applications have theirs there, and the page removes its own.
  res.setHeader('clear-site-data', baseOf(req) === '' ? '"cache", "storage"' : '"cache"')
  req.log.info({ address: req.ip }, 'signed out')
}

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
    'Confirm your identity (POST /api/session/confirm), then try again.',
  )
}

/** The browser session that asks; a 403 `AppError` for a bearer token, which has none. */
export function requireSession(actor: Actor): string {
  if (actor.kind === 'owner' && actor.session_id) return actor.session_id
  throw forbidden('Only a signed-in browser can do this.')
}
