// Holds every answer of an app under test against the schema that its route declares, as it goes over the wire: JSON and
// error bodies, server-sent events, JSON Lines. A key that the schema does not have is a mismatch too. So what
// /api/openapi.json says of the answers is true wherever a test looks.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request } from 'express'
import { z } from 'zod'
import type { Route } from '../../lib/api/route.ts'
import { OAuthError } from '../../lib/contract/auth.ts'
import { ErrorBody } from '../../lib/contract/error.ts'
import { bodyProblems, isStreamed, streamCheck } from './answer-problems.ts'

const mismatches: string[] = []
const oauthRefusal = z.union([OAuthError.extend({ scope: z.string().optional() }), ErrorBody])

/** The mismatches since it was last called. A test that had one has failed, see fail-on-mismatch.ts. */
export const takeMismatches = (): string[] => mismatches.splice(0)

/** The same app. An answer of JSON that its route does not declare becomes a 500; every mismatch is noted. */
export function checkAnswers(app: Express, routes: readonly Route[]): Express {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  return new Proxy(app, {
    apply(target, self, [req, res, next]) {
      watch(req, res, byName)
      return Reflect.apply(target, self, [req, res, next])
    },
  })
}

function watch(
  req: IncomingMessage & Partial<Request>,
  res: ServerResponse,
  routes: ReadonlyMap<string, Route>,
): void {
  const { write, end } = res
  const method = String(req.method).toLowerCase()
  let body: Buffer[] = []
  let check: ((chunk: Buffer) => string[]) | undefined

  const streamed = (chunk: unknown): void => {
    const route = routes.get(`${method} ${req.route?.path}`)
    check ??= streamCheck(route, typeOf(res))
    note(req, check(toBuffer(chunk)))
  }

  const watchedWrite = (...args: unknown[]) => {
    if (isStream(res)) streamed(args[0])
    else body.push(toBuffer(args[0]))
    return Reflect.apply(write, res, args)
  }

  const watchedEnd = (...args: unknown[]) => {
    const last = typeof args[0] === 'function' ? '' : (args[0] ?? '')
    if (isStream(res)) {
      if (last !== '') streamed(last)
      return Reflect.apply(end, res, args)
    }
    const route = routes.get(`${method} ${req.route?.path}`)
    const answer = {
      status: res.statusCode,
      type: typeOf(res),
      body: Buffer.concat([...body, toBuffer(last)]),
    }
    // The endpoints of the authorization server are no routes of the API, and have errors of their own.
    const refusal = req.originalUrl?.startsWith('/oauth/') && !route ? oauthRefusal : undefined
    const problems = method === 'head' ? [] : bodyProblems(route, answer, refusal)
    body = []
    note(req, problems)
    if (problems.length === 0 || res.headersSent) return Reflect.apply(end, res, args)
    const instead = JSON.stringify({ error: { code: 'answer_mismatch', message: problems.join('\n') } })
    res.statusCode = 500
    res.setHeader('content-type', 'application/json')
    res.setHeader('content-length', Buffer.byteLength(instead))
    return Reflect.apply(end, res, [instead])
  }

  Object.assign(res, { write: watchedWrite, end: watchedEnd })
}

const toBuffer = (chunk: unknown): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : chunk instanceof Uint8Array
      ? Buffer.from(chunk)
      : Buffer.alloc(0)

const typeOf = (res: ServerResponse): string => String(res.getHeader('content-type') ?? '').split(';')[0]!

const isStream = (res: ServerResponse): boolean => isStreamed(typeOf(res))

function note({ method, url }: IncomingMessage, problems: readonly string[]): void {
  for (const problem of problems) mismatches.push(`${method} ${url}: ${problem}`)
}
