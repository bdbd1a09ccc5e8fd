// Connecting programs by OAuth: the endpoints of the authorization server, and the page on which the owner decides.

import { parseCookie } from 'cookie'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { z } from 'zod'
import { consentPath, endpoints, oauthPath, siteOf } from '../../auth/oauth/metadata.ts'
import { type ConsentRequest, normalizeScope } from '../../auth/oauth/server/consent-request.ts'
import type { Terms } from '../../auth/oauth/server/oauth.ts'
import type { Exchange } from '../../auth/oauth/server/providers.ts'
import { id } from '../../contract/scalars.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { addressOf, type Guard, limiter } from '../guard.ts'
import type { Assets } from './assets.ts'
import { htmlPage, sendPage, sendRefresh } from './page.ts'
import { loadPainter, type Painter } from './painter.ts'
import { bounceOrSignIn, findOwner } from './sign-in.ts'

/** Requests of one address to the endpoints. */
const perMinute = 120

const maxBodyBytes = 4096

const listed = z.union([z.array(id), id.transform((one) => [one])]).default([])

const answer = z.object({
  decision: z.enum(['allow', 'deny']),
  tier: z.enum(['read', 'suggest']).default('read'),
  reach: z.enum(['all', 'some']).default('some'),
  space: listed.refine((spaces) => spaces.length <= 200),
  lifetime: z.enum(['day', 'month', 'open']).default('month'),
})

type Answer = z.infer<typeof answer>

const daysOf = { day: 1, month: 30, open: null }

export function createConnect(deps: Deps, guard: Guard, assets: Assets): Router {
  const { publicUrl, oauth } = deps.server
  const router = Router()
  const pages = createConnectPages(deps, assets)
  const readForm = express.urlencoded({ extended: false, limit: '32kb' })

  router.use(oauthPath, limiter(perMinute, 60_000, addressOf), async (req, res) => {
    const exchange = exchangeOf(req, res)
    refuseLarge(req)
    // The authorization server itself reads paths without regard to letter case.
    if (!servedPath.test(req.path)) throw unknownPath(req)
    if (req.path.startsWith(endpoints.authorization)) {
      // Nothing is begun for anybody else: no record, no look at a client's document.
      if (!(await findOwner(guard, req, res))) return bounceOrSignIn(req, res)
      if (req.path === endpoints.authorization) req.url = withScope(req.url)
    }
    await oauth.serve(exchange, (problem) => pages.problemPage(req, problem))
  })

  router.get(`${consentPath}/:uid`, async (req, res) => {
    const exchange = exchangeOf(req, res)
    if (!(await findOwner(guard, req, res))) return bounceOrSignIn(req, res)
    const request = await oauth.findRequest(exchange)
    if (request) await pages.sendConsent(req, res, request)
    else await pages.sendOver(req, res)
  })

  const admitOwner: RequestHandler = async (req, res, next) => {
    await guard.admit('owner', req, res)
    next()
  }
  router.post(`${consentPath}/:uid`, admitOwner, readForm, async (req, res) => {
    const exchange = exchangeOf(req, res)
    const given = answer.safeParse(req.body)
    if (!given.success) throw invalid('The form is not valid. Go back and try again.')
    await decide(exchange, given.data, req, res)
  })

  return router

  async function decide(exchange: Exchange, given: Answer, req: Request, res: Response): Promise<void> {
    const terms = termsOf(given)
    const request = await oauth.findRequest(exchange)
    if (!request) return await pages.sendOver(req, res)
    if (given.decision === 'allow' && !terms)
      return await pages.sendConsent(req, res, request, 'Select at least one Space, or all Spaces.')
    const allowed = given.decision === 'allow' && terms
    const address = allowed ? await oauth.allow(exchange, allowed) : await oauth.deny(exchange)
    if (address === null) return await pages.sendOver(req, res)
    req.log.info({ decision: given.decision, client_id: request.client_id }, 'program asked to connect')
    // No redirection: the policy of the page lets its form lead nowhere but here.
    sendRefresh(res, address)
  }

  function exchangeOf(req: Request, res: Response): Exchange {
    const site = siteOf(publicUrl, req.headers.host)
    if (!site) throw unknownPath(req)
    return { site, req, res }
  }
}

/** The paths below `oauthPath` that the authorization server is asked for, and a request to it that goes on. */
const servedPath = new RegExp(
  `^(?:${endpoints.authorization}(?:/[\\w-]+)?|${endpoints.token}|${endpoints.revocation}|/\\.well-known/oauth-authorization-server)$`,
)

const unknownPath = ({ method, originalUrl }: Request) =>
  new AppError('not_found', 404, `Route not found: ${method} ${originalUrl.split('?')[0]}.`)

/** What anybody may send is as small as elsewhere; the authorization server itself would read 56 kB. */
function refuseLarge({ headers }: Request): void {
  const isStream = headers['transfer-encoding'] !== undefined
  if (!isStream && Number(headers['content-length'] ?? 0) <= maxBodyBytes) return
  throw new AppError(
    'too_large',
    413,
    `The body must have a Content-Length of at most ${maxBodyBytes} bytes.`,
  )
}

/** The address of a request with the scopes that it asks for as they are passed on. */
function withScope(url: string): string {
  const parsed = new URL(url, 'http://void.invalid')
  parsed.searchParams.set('scope', normalizeScope(parsed.searchParams.get('scope')))
  return parsed.pathname + parsed.search
}

/** Null when no Space was chosen. */
function termsOf({ tier, reach, space, lifetime }: Answer): Terms | null {
  if (reach === 'some' && space.length === 0) return null
  return { tier, spaces: reach === 'all' ? null : space, days: daysOf[lifetime] }
}

export type ConnectPages = {
  /** Sends the page that asks the owner. `problem`: why the last answer was refused. */
  sendConsent(req: Request, res: Response, request: ConsentRequest, problem?: string): Promise<void>
  /** Sends the page that says that there is nothing to decide. */
  sendOver(req: Request, res: Response): Promise<void>
  /** The page that says why a program was not connected. */
  problemPage(req: Request, problem: string): Promise<string>
}

/** Spaces that are offered. */
const maxSpaces = 200

export function createConnectPages({ repos }: Pick<Deps, 'repos'>, assets: Assets): ConnectPages {
  return {
    async sendConsent(req, res, request, problem) {
      const filter = { within: null, deleted: false, before_id: null, limit: maxSpaces }
      const spaces = (await repos.spaces.list(filter)).map(({ id, name }) => ({ id, name }))
      const form = { ...request, action: req.originalUrl, spaces, problem: problem ?? null }
      const page = await document(req, 'Connect a program', (painter) => painter.consentPage(form))
      await sendPage(req, res, problem === undefined ? 200 : 400, page)
    },

    async sendOver(req, res) {
      const problem =
        'This request has expired, or was begun in another browser. Start again from the program.'
      await sendPage(req, res, 410, await problemPage(req, problem))
    },

    problemPage,
  }

  async function problemPage(req: Request, problem: string): Promise<string> {
    return await document(req, 'Not connected', (painter) => painter.connectProblemPage(problem))
  }

  async function document(req: Request, title: string, paint: (painter: Painter) => string): Promise<string> {
    const painter = await loadPainter()
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    const { style, areas, icon } = await assets.manifest()
    const head = { title, script: null, style, areas: { [areas.more!]: true }, icon, preload: [] }
    return htmlPage(head, { html: paint(painter), preloaded: {}, prefs })
  }
}
