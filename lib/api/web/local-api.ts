import type { Request, Response } from 'express'
import type { Actor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import type { Call, Route } from '../route.ts'

export type LocalApi = {
  /** What GET on the path answers the owner. Throws `AppError` as the route does, 404 for a path that is no route. */
  get<Answer>(path: string): Promise<Answer>
  /** Every answer that was given so far, by path. */
  readonly answers: Readonly<Record<string, unknown>>
}

/**
 * Asks the server's own routes without a request, as the owner who looks: the first paint is made from the same data, by the same code, as
 * every later one. Only for routes that answer with a body.
 */
export function createLocalApi(deps: Deps, routes: readonly Route[], actor: Actor): LocalApi {
  const answers: Record<string, unknown> = {}
  const readable = routes.filter(({ method, mediaType }) => method === 'get' && mediaType === undefined)

  return {
    answers,
    async get<Answer>(path: string) {
      if (path in answers) return answers[path] as Answer
      const url = new URL(path, 'http://void.invalid')
      const found = findRoute(readable, url.pathname)
      if (!found) throw notThere(path)
      const call = {
        ...parse(found.route, found.params, url),
        actor,
        body: undefined,
        req: noRequest,
        res: noRequest,
      }
      const answer = await found.route.handle(deps, call as unknown as Call<never, never, never, never>)
      answers[path] = answer?.body
      return answer?.body as Answer
    },
  }
}

/** A route that reads the request or writes the response is none that a page is painted from. */
const noRequest = new Proxy({} as Request & Response, {
  get(_target, name) {
    throw new Error(`route used ${String(name)} of a request that does not exist`)
  },
})

function findRoute(routes: readonly Route[], path: string) {
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return null
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.split('/')
  const values = path.split('/')
  if (names.length !== values.length) return null
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const value = values[index]!
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(value)
    else if (name !== value) return null
  }
  return params
}

function parse(route: Route, params: Record<string, string>, url: URL) {
  const parsedParams = route.params?.safeParse(params)
  const parsedQuery = route.query?.safeParse(Object.fromEntries(url.searchParams))
  if (parsedParams?.success === false || parsedQuery?.success === false) throw notThere(url.pathname)
  return { params: parsedParams?.data, query: parsedQuery?.data }
}

const notThere = (path: string) => new AppError('not_found', 404, `Route not found: ${path}.`)
