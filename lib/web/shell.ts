// The pages of the app as the server sends them: painted with their real content by public/server.ts, which draws
// with the same code as the browser does afterwards. And signing in and out.

import { parseCookie } from 'cookie'
import express, { type Request, type Response, Router } from 'express'
import type { Deps } from '../api/deps.ts'
import type { Guard } from '../api/guard.ts'
import { listRoutes } from '../api/index.ts'
import { readSession, writeSession } from '../api/session-cookie.ts'
import { AppError } from '../errors.ts'
import { assetsPath, createAssets } from './assets.ts'
import { compress, pickEncoding } from './compression.ts'
import { createLocalApi } from './local-api.ts'
import { safeNext } from './next-address.ts'
import { htmlPage } from './page.ts'
import { loadPainter } from './painter.ts'

export function createShell(deps: Deps, guard: Guard): Router {
  const router = Router()
  const routes = listRoutes(deps.kinds, guard)
  const assets = createAssets()
  const readForm = express.urlencoded({ extended: false, limit: '4kb' })

  router.get(`${assetsPath}/:name`, assets.serve)

  router.get('/sign-in', async (req, res) => {
    const { token, next } = req.query
    if (typeof token === 'string') await signIn(req, res, { token, next: safeNext(next) })
    else await sendSignIn(req, res, 200, { problem: null, next: safeNext(next) })
  })

  router.post('/sign-in', readForm, async (req, res) => {
    await signIn(req, res, { token: String(req.body?.token ?? '').trim(), next: safeNext(req.body?.next) })
  })

  router.post('/sign-out', async (req, res) => {
    await guard.admit('owner', req, res)
    const session = readSession(req)
    if (session) await deps.authentication.closeSession(session)
    writeSession(req, res, '', 0)
    res.redirect(303, '/sign-in')
  })

  // Whatever is no file and no call of the API is an address of the app, if only one there is nothing at.
  router.get(/^(?!\/(?:api|assets)\/|\/[^/]*\.\w+$)/, async (req, res) => {
    if (!(await isOwner(req, res))) return bounceOrSignIn(req, res)
    const painter = await loadPainter()
    const api = createLocalApi(deps, routes)
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    if (req.path === '/') return res.redirect(302, await startAddress(api, prefs.space))

    const url = new URL(req.originalUrl, 'http://void.invalid')
    const pane = req.headers['sec-fetch-dest'] === 'iframe'
    const painted = await painter.paint({ url, api, prefs, now: deps.now(), pane })
    const { script, style, icon, preload } = await assets.manifest()
    const head = { title: painted.title, script, style, icon, preload: preload(painted.module) }
    await send(
      req,
      res,
      painted.status,
      htmlPage(head, { html: painted.html, preloaded: api.answers, prefs }),
    )
  })

  return router

  async function signIn(req: Request, res: Response, { token, next }: { token: string; next: string }) {
    try {
      const { session, maxAgeMs } = await deps.authentication.openSession(token)
      writeSession(req, res, session, maxAgeMs)
      if (isForeignNavigation(req)) sendRefresh(res, next)
      else res.redirect(303, next)
    } catch (error) {
      if (!(error instanceof AppError && error.status === 401)) throw error
      await guard.countFailure(req, res)
      const problem = 'That is not the owner’s token. Check for a missing character and try again.'
      await sendSignIn(req, res, 401, { problem, next })
    }
  }

  // The session cookie does not travel with a link on another site: the same address is asked for once more, from here.
  async function bounceOrSignIn(req: Request, res: Response): Promise<void> {
    if (isForeignNavigation(req)) sendRefresh(res, req.originalUrl)
    else if (req.path === '/') res.redirect(303, '/sign-in')
    else res.redirect(303, `/sign-in?next=${encodeURIComponent(req.originalUrl)}`)
  }

  async function sendSignIn(
    req: Request,
    res: Response,
    status: number,
    form: { problem: string | null; next: string },
  ): Promise<void> {
    const painter = await loadPainter()
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    const { style, icon } = await assets.manifest()
    const head = { title: 'Sign in', script: null, style, icon, preload: [] }
    await send(req, res, status, htmlPage(head, { html: painter.signInPage(form), preloaded: {}, prefs }))
  }

  async function isOwner(req: Request, res: Response): Promise<boolean> {
    try {
      await guard.admit('owner', req, res)
      return true
    } catch (error) {
      if (error instanceof AppError && (error.status === 401 || error.status === 403)) return false
      throw error
    }
  }
}

/** The Space last looked at, if it is still there; else the newest; else the list that says there is none. */
async function startAddress(
  api: ReturnType<typeof createLocalApi>,
  remembered: string | null,
): Promise<string> {
  const { items } = await api.get<{ items: { slug: string }[] }>('/api/spaces?limit=200')
  const space = items.find(({ slug }) => slug === remembered) ?? items[0]
  return space ? `/s/${space.slug}` : '/spaces'
}

/** Whether a page of another site sent the browser here. */
const isForeignNavigation = (req: Request) =>
  req.headers['sec-fetch-site'] === 'cross-site' && req.headers['sec-fetch-mode'] === 'navigate'

function sendRefresh(res: Response, address: string): void {
  const escaped = address.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  res.status(200).setHeader('cache-control', 'no-store')
  res.type('html').send(`<!doctype html><meta http-equiv="refresh" content="0; url=${escaped}">`)
}

async function send(req: Request, res: Response, status: number, page: string): Promise<void> {
  const encoding = pickEncoding(req.headers['accept-encoding'])
  res.status(status).type('html')
  res.setHeader('cache-control', 'no-store')
  res.setHeader('vary', 'accept-encoding')
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
  res.end(await compress(Buffer.from(page), encoding, { brotliQuality: 4 }))
}
