import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Deps } from './deps.ts'
import type { Guard } from './guard.ts'
import type { Call, Route } from './route.ts'
import { parseRequest } from './validate.ts'

const usualLimit = '4mb'

/** An Express router that serves the routes. The credentials are looked at before the body is read. */
export function createRouter(routes: readonly Route[], deps: Deps, guard: Guard): Router {
  const router = Router()
  for (const route of routes) router[route.method](route.path, ...handlers(route, deps, guard))
  return router
}

function handlers(route: Route, deps: Deps, guard: Guard): RequestHandler[] {
  const admit: RequestHandler = async (req, res, next) => {
    res.locals.actor = await guard.admit(route.access, req, res)
    next()
  }
  const readBody = route.body ? [express.json({ limit: route.bodyLimit ?? usualLimit })] : []
  return [admit, ...readBody, (req, res) => run(route, deps, req, res)]
}

async function run(route: Route, deps: Deps, req: Request, res: Response): Promise<void> {
  const parts = parseRequest(route, req)
  const call = { ...parts, actor: res.locals.actor, req, res }
  // Parsed by the route's own schemas, just above: see `route`.
  const answer = await route.handle(deps, call as unknown as Call<never, never, never, never>)
  if (!answer) return

  res.setHeader('cache-control', 'no-store')
  res.status(answer.status ?? 200)
  if (answer.body === undefined) res.end()
  else res.json(answer.body)
}
