// The pages of the app as the server sends them: painted with their real content by public/start/server.ts, which draws
// with the same code as the browser does afterwards.

import { parseCookie } from 'cookie'
import { type Request, Router } from 'express'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import type { Guard } from '../guard.ts'
import { sourceCallbackPath } from '../route.ts'
import { listRoutes } from '../routes/list-routes.ts'
import { type Assets, assetsPath } from './assets.ts'
import { createConnect, createConnectPages } from './connect.ts'
import { createDiagrams } from './diagrams.ts'
import { createInstallable } from './installable.ts'
import { createLocalApi } from './local-api.ts'
import { htmlPage, sendPage } from './page.ts'
import { paintPage } from './paint-page.ts'
import { loadPainter } from './painter.ts'
import { bounceOrSignIn, createSignIn, findOwner } from './sign-in.ts'

export function createShell(deps: Deps, guard: Guard, assets: Assets): Router {
  const router = Router()
  const routes = listRoutes(deps.kinds, guard)

  router.get(`${assetsPath}/:name`, assets.serve)
  router.use(createInstallable(assets))
  router.use(createDiagrams())
  router.use(createSignIn(deps, guard, assets))
  router.use(createConnect(deps, guard, assets))
  router.use(createSourceCallback(deps, guard, assets))

  // Every path that is neither a file nor part of the API is a page of the app, even if only "Not found". What programs
  // look for below /.well-known is there or is not: a page in its place misleads them.
  router.get(/^(?!\/(?:api|assets|\.well-known)\/|\/[^/]*\.\w+$)/, async (req, res) => {
    const owner = await findOwner(guard, req, res)
    if (!owner) return bounceOrSignIn(req, res)
    const painter = await loadPainter()
    const api = createLocalApi(deps, routes, owner)
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    if (req.path === '/') return res.redirect(302, await startAddress(api, prefs.space))

    // Resolving it against a base would read a path that begins with two slashes as the name of a host.
    const url = new URL(`http://void.invalid${req.originalUrl}`)
    const pane = req.headers['sec-fetch-dest'] === 'iframe'
    // Before anything is loaded: the page's stream of events begins where its content ends.
    const live = deps.server.live.position()
    const { now, ownerZone } = deps.server
    const { time_zone, set_by } = ownerZone.describe()
    const zone = set_by === 'server' ? null : time_zone
    const painted = await paintPage(deps.threads, { url, api, prefs, now: now(), zone, pane })
    const { areas, preload, ...files } = await assets.manifest()
    const further = Object.entries(areas).map(([area, href]) => [href, area === painted.area])
    const head = {
      ...files,
      title: painted.title,
      app: true,
      preload: preload(painted.module),
      areas: Object.fromEntries(further),
    }
    await sendPage(
      req,
      res,
      painted.status,
      htmlPage(head, { html: painted.html, preloaded: api.answers, prefs, live, zone }),
    )
  })

  return router
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

// Where the owner's browser comes back to from signing in to a source.

const parameter = z.string().max(8000)

const answer = z.object({
  state: parameter,
  code: parameter.optional(),
  iss: parameter.optional(),
  error: parameter.optional(),
})

function createSourceCallback(deps: Deps, guard: Guard, assets: Assets): Router {
  const router = Router()
  const pages = createConnectPages(deps, assets)

  router.get(sourceCallbackPath, async (req, res) => {
    const owner = await findOwner(guard, req, res)
    if (!owner) return bounceOrSignIn(req, res)
    try {
      await finish(req, owner.kind === 'owner' ? (owner.session_id ?? null) : null)
      // How it went stands at the source.
      res.redirect(303, '/settings/sources')
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await sendPage(req, res, error.status, await pages.problemPage(req, error.message))
    }
  })

  return router

  async function finish(req: Request, sessionId: string | null): Promise<void> {
    const given = answer.safeParse(req.query)
    if (!given.success) {
      throw new AppError(
        'sign_in_over',
        400,
        'This address is only for returning from a sign-in to a source.',
      )
    }
    await deps.sources.finishSignIn(given.data, sessionId)
  }
}
