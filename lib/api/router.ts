import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { siteOf } from '../auth/oauth/metadata.ts'
import type { AgentActor } from '../core/actor.ts'
import type { Deps } from './deps.ts'
import type { Guard } from './guard.ts'
import { addressOf, limiter } from './limits/limiter.ts'
import { refuseOnFullDisk, refuseWhileDraining } from './middleware.ts'
import { parseRequest } from './params.ts'
import { type MadeCall, recordCall } from './record-call.ts'
import type { Answer, Call, Route } from './route.ts'

const usualLimit = '4mb'
/** Anybody may send it. */
const publicLimit = '4kb'

/** An Express router that serves the routes. The credentials are looked at before the body is read. */
export function createRouter(routes: readonly Route[], deps: Deps, guard: Guard): Router {
  const router = Router()
  for (const route of routes) router[route.method](route.path, ...handlers(route, deps, guard))
  return router
}

function handlers(route: Route, deps: Deps, guard: Guard): RequestHandler[] {
  const admit: RequestHandler = async (req, res, next) => {
    const site = route.oauth ? siteOf(deps.server.publicUrl, req.headers.host) : null
    res.locals.site = site
    try {
      res.locals.actor = await guard.admit(route.access, req, res, site?.resource)
    } catch (error) {
      // What an agent was refused is told by the same record as what it was given.
      await recorded({ route, deps, req, res }, () => Promise.reject(error))
      return
    }
    next()
  }
  const limit = route.access === 'public' ? publicLimit : (route.bodyLimit ?? usualLimit)
  const readBody = route.body ? [express.json({ limit })] : []
  const refuse = route.servedWhileDraining ? [] : [refuseWhileDraining(deps)]
  const slow = route.limit ? [limiter(route.limit.requests, route.limit.windowMs, addressOf)] : []
  const storesNothing = route.method === 'get' || route.servedWhileDraining
  const refuseFull = storesNothing ? [] : [refuseOnFullDisk(deps)]
  return [...refuse, ...slow, admit, ...refuseFull, ...readBody, (req, res) => run(route, deps, req, res)]
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
