import { parseCookie } from 'cookie'
import express, { type Request, type Response, Router } from 'express'
import type { Actor } from '../../core/actor.ts'
import { AppError, forbidden } from '../../core/errors.ts'
import { signBrowserIn, signBrowserOut } from '../browser-session.ts'
import type { Deps } from '../deps.ts'
import { type Guard, readSession } from '../guard.ts'
import type { Assets } from './assets.ts'
import { htmlPage, isForeignNavigation, sendPage, sendRefresh } from './page.ts'
import { loadPainter, type Painter, type Prefs } from './painter.ts'

const maxCodeLength = 200

/** The pages that sign the owner in, by form or by link, and out. */
export function createSignIn(deps: Deps, guard: Guard, assets: Assets): Router {
  const router = Router()
  const readForm = express.urlencoded({ extended: false, limit: '4kb' })

  router.get('/sign-in', async (req, res) => {
    // A GET signs nobody in: previews and histories of browsers repeat it.
    const code = typeof req.query.code === 'string' ? req.query.code.slice(0, maxCodeLength) : null
    await sendForm(assets, req, res, { status: 200, problem: null, next: safeNext(req.query.next), code })
  })

  router.post('/sign-in', readForm, async (req, res) => {
    refuseForeignForm(req)
    const { code, token, next } = req.body ?? {}
    await signIn(req, res, {
      code: code ? String(code) : null,
      token: String(token ?? ''),
      next: safeNext(next),
    })
  })

  router.post('/sign-out', async (req, res) => {
    await guard.admit('owner', req, res)
    const session = readSession(req)
    if (session) await deps.server.authentication.closeSession(session)
    signBrowserOut(req, res)
    res.redirect(303, '/sign-in')
  })

  return router

  async function signIn(req: Request, res: Response, { code, token, next }: Form) {
    try {
      await signBrowserIn({ guard, server: deps.server }, { req, res }, (code ?? token).trim())
      res.redirect(303, next)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'passkey_required')
        return await sendPasskeyPage(assets, req, res, { ...error.details, next })
      // The code of a link is not used up where the passkeys do not work.
      if (error.status === 409)
        return await sendForm(assets, req, res, { status: 409, problem: error.message, next, code })
      if (error.status !== 401) throw error
      const problem =
        'That is not the owner’s token, or the link was used or is older than ten minutes. Run “npm run sign-in” for a new link.'
      await sendForm(assets, req, res, { status: 401, problem, next, code: null })
    }
  }
}

type Form = { code: string | null; token: string; next: string }

/** A page elsewhere must neither sign a browser in nor use up the guesses of its address. */
function refuseForeignForm(req: Request): void {
  const site = req.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw forbidden('This request did not come from a page of this server.')
  }
}

async function sendForm(
  assets: Assets,
  req: Request,
  res: Response,
  { status, ...form }: { status: number; problem: string | null; next: string; code: string | null },
): Promise<void> {
  const painter = await loadPainter()
  const { style, icon } = await assets.manifest()
  const head = { title: 'Sign in', script: null, style, icon, preload: [] }
  const html = painter.signInPage(form)
  await sendPage(req, res, status, htmlPage(head, { html, preloaded: {}, prefs: prefsOf(req, painter) }))
}

/** The page whose script asks for the passkey, sends the answer, and goes on to `next`. */
async function sendPasskeyPage(
  assets: Assets,
  req: Request,
  res: Response,
  preloaded: Record<string, unknown>,
): Promise<void> {
  const painter = await loadPainter()
  const { passkey, style, icon } = await assets.manifest()
  const head = { title: 'Confirm with your passkey', script: passkey, style, icon, preload: [] }
  const html = painter.passkeyPage()
  await sendPage(req, res, 200, htmlPage(head, { html, preloaded, prefs: prefsOf(req, painter) }))
}

const prefsOf = (req: Request, { parsePrefs, prefsCookie }: Painter): Prefs =>
  parsePrefs(parseCookie(req.headers.cookie ?? '')[prefsCookie])

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

/** Where to go after signing in: an address of this server, however the parameter came about; `/` for anything else. */
export function safeNext(next: unknown): string {
  // A backslash counts as a slash in a browser, and control characters are dropped by it.
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/'
  const base = 'http://void.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  if (origin !== base || pathname.startsWith('//')) return '/'
  return pathname + search + hash
}
