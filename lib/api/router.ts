// The way of a request to its route: what every request passes first (names of the host, refusals for the state of the
// server, metrics), then its credentials and its body.

import { type Request, type RequestHandler, type Response, Router } from 'express'
import { siteOf } from '../auth/oauth/metadata.ts'
import type { AgentActor } from '../core/actor.ts'
import { AppError, shuttingDown } from '../core/errors.ts'
import type { Telemetry } from '../ops/telemetry/telemetry.ts'
import type { BegunCall } from '../outside/mcp/call-tool.ts'
import type { Deps } from './deps.ts'
import { addressOf, type Guard, limiter, pass } from './guard.ts'
import { createBodyReader } from './read-json.ts'
import { type MadeCall, recordBegun, recordCall } from './record-call.ts'
import { type Answer, type Call, parseRequest, type Route } from './route.ts'

/** An Express router that serves the routes. The credentials are looked at before the body is read. */
export function createRouter(routes: readonly Route[], deps: Deps, guard: Guard): Router {
  const router = Router()
  const readBodyOf = createBodyReader()
  for (const route of routes)
    router[route.method](route.path, ...handlers(route, deps, guard, readBodyOf(route)))
  return router
}

function handlers(route: Route, deps: Deps, guard: Guard, read: RequestHandler): RequestHandler[] {
  // What an agent was refused is told by the same record as what it was given.
  const step =
    (work: (req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res, next) => {
      try {
        await work(req, res)
      } catch (error) {
        await recorded({ route, deps, req, res }, () => Promise.reject(error))
        return
      }
      next()
    }
  const admit = step(async (req, res) => {
    const site = route.oauth ? siteOf(deps.server.publicUrl, req.headers.host) : null
    res.locals.site = site
    const actor = await guard.admit(route.access, req, res, site?.resource)
    route.rights?.(actor)
    res.locals.actor = actor
  })
  const readBody = step(async (req, res) => {
    await pass(read, req, res)
    const calls = route.calls?.(req.body) ?? 1
    await guard.admitMore(calls - 1, req, res)
  })
  const refuse = route.servedWhileDraining ? [] : [refuseWhileDraining(deps)]
  const slow = route.limit ? [limiter(route.limit.requests, route.limit.windowMs, addressOf)] : []
  const storesNothing = route.method === 'get' || route.servedWhileDraining
  const refuseFull = storesNothing ? [] : [refuseOnFullDisk(deps)]
  return [
    ...refuse,
    ...slow,
    admit,
    ...refuseFull,
    ...(route.body ? [readBody] : []),
    (req, res) => run(route, deps, req, res),
  ]
}

type Asked = { route: Route; deps: Deps; req: Request; res: Response }

/** Does what was asked and, for an agent, records it with its outcome. */
async function recorded(
  { route, deps, req, res }: Asked,
  work: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const agent: AgentActor | undefined = res.locals.agent
  if (!agent) return await work()
  const { params, query, body } = req
  res.locals.onBegin = (begun: BegunCall) => recordBegun(deps, agent, begun)
  const started = performance.now()
  const record = (outcome: MadeCall['outcome']) =>
    recordCall(deps, {
      route,
      actor: agent,
      given: { params, query, body },
      outcome,
      calls: res.locals.calls,
      duration_ms: performance.now() - started,
    })
  const outcome = await work().then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  await record(outcome)
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}

async function run(route: Route, deps: Deps, req: Request, res: Response): Promise<void> {
  const leave = deps.server.stalls.enter(`${route.method.toUpperCase()} ${route.path}`)
  try {
    const answer = await recorded({ route, deps, req, res }, () => handle(route, deps, req, res))
    if (!answer) return
    if (answer.send) {
      answer.send()
      return
    }

    res.status(answer.status ?? 200)
    if (answer.body === undefined) res.end()
    else res.json(answer.body)
  } finally {
    leave()
  }
}

async function handle(route: Route, deps: Deps, req: Request, res: Response): Promise<Answer | undefined> {
  const parts = parseRequest(route, req)
  const call = { ...parts, actor: res.locals.actor, req, res }
  // Parsed by the route's own schemas, just above: see `route`.
  return await route.handle(deps, call as unknown as Call<never, never, never, never>)
}

/** A 503 once the server drains. It closes the connection, so that the next attempt may reach another server. */
export const refuseWhileDraining =
  ({ companion }: Pick<Deps, 'companion'>): RequestHandler =>
  (_req, res, next) => {
    if (!companion.isDraining()) return next()
    res.setHeader('connection', 'close')
    next(shuttingDown())
  }

/** A 507 for what stores something, while there is no room for it. */
const refuseOnFullDisk =
  ({ database }: Pick<Deps, 'database'>): RequestHandler =>
  async (_req, _res, next) => {
    await database.checkRoom()
    next()
  }

/**
 * Refuses requests addressed to a name that is not ours. A page elsewhere can point a name of its own at 127.0.0.1
 * (DNS rebinding); its requests then carry that name. `allowed` are host names without a port. Routes with `anyHost` are not
 * asked for it.
 */
export function allowHosts(allowed: readonly string[], routes: readonly Route[]): RequestHandler {
  const open = new Set(routes.flatMap((route) => (route.anyHost ? [route.path] : [])))
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed.map((name) => name.toLowerCase())])

  return (req, _res, next) => {
    const host = req.headers.host ?? ''
    const name = host.replace(/:\d+$/, '').toLowerCase()
    if (names.has(name) || open.has(req.path)) {
      next()
      return
    }
    throw new AppError(
      'unknown_host',
      421,
      'Unknown host name. To allow it, set PUBLIC_URL or ALLOWED_HOSTS.',
    )
  }
}

/** Times requests. One is named by the pattern of its route, never by its path. */
export function watchRequests({
  metrics: { requests, streams },
  trace,
  isTracing,
}: Telemetry): RequestHandler {
  return (req, res, next) => {
    const end = requests.startTimer({ method: methodOf(req.method) })
    let isStream = false
    res.once('close', () => {
      if (isStream) streams.dec()
      else end({ status: `${Math.floor(res.statusCode / 100)}xx` })
    })
    const { writeHead } = res
    res.writeHead = (...args: unknown[]) => {
      const result = Reflect.apply(writeHead, res, args)
      // Only now: the headers may have been given to this very call.
      const streamed = /^(text\/event-stream|application\/x-ndjson)/.test(
        String(res.getHeader('content-type')),
      )
      if (streamed && !isStream) streams.inc()
      isStream = streamed
      return result
    }
    if (!isTracing) return next()
    const closed = new Promise<void>((resolve) => res.once('close', resolve))
    void trace('http.request', { 'http.request.method': methodOf(req.method) }, async (note) => {
      next()
      await closed
      note({ 'http.route': String(req.route?.path ?? 'page'), 'http.response.status_code': res.statusCode })
    })
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Anybody may send any word as a method. */
const methodOf = (method: string) => (methods.has(method) ? method : 'other')
