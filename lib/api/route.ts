// A route is data: what it takes, what it answers, who may call it, and the function that does it. The router, the
// OpenAPI document and the tests of the documentation are all made from the same list.

import type { Request, Response } from 'express'
import { z } from 'zod'
import { issuesOf, parseUntrusted } from '../content/writes/validate-fields.ts'
import { id, maxInteger, version } from '../contract/scalars.ts'
import type { Actor, OwnerActor, SystemActor } from '../core/actor.ts'
import { AppError, invalid } from '../core/errors.ts'
import { cleanDeep } from '../core/text/clean.ts'
import type { Deps } from './deps.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * `public`: anybody. `agent`: the owner, or an agent within its scope. `owner`: nobody else. `metrics`: the owner, or
 * who has the token for metrics.
 */
export type Access = 'public' | 'agent' | 'owner' | 'metrics'

export type Call<Params, Query, Body, Who> = {
  params: Params
  query: Query
  body: Body
  actor: Who
  req: Request
  res: Response
}

/**
 * What a handler answers with. One that writes the response itself returns nothing, or `send`, which writes it once
 * the call of an agent is recorded.
 */
export type Answer = { status?: 200 | 201 | 202 | 204; body?: unknown; send?: () => void }

export type Route = {
  method: Method
  /** In Express's form, with `:name` for parameters. */
  path: string
  access: Access
  summary: string
  /** It is the resource that access tokens of OAuth are for; a refusal says how to get one. */
  oauth?: true
  /** How often one address may ask. */
  limit?: { requests: number; windowMs: number }
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Largest body, where it is not the usual one; in the form of the `bytes` package. */
  bodyLimit?: string
  /** Left out: 503 from the moment the server was asked to stop. */
  servedWhileDraining?: true
  /** What a success holds, by status. */
  answers: Record<number, z.ZodType | string>
  /** Media type of a success that is no JSON. */
  mediaType?: string
  /** What every event or line of a stream holds: `{ type, data }` of a server-sent event, the JSON of a line. */
  stream?: z.ZodType
  /** What an error holds, where it is more than the usual. */
  refusal?: z.ZodType
  /** What a success holds for a caller that accepts another media type. */
  alternatives?: Record<string, z.ZodType>
  handle: (deps: Deps, call: Call<never, never, never, never>) => Promise<Answer | undefined>
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

type WhoOf<Name extends Access> = Name extends 'owner' ? OwnerActor | SystemActor : Actor

type Definition<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
  Name extends Access,
> = Omit<Route, 'params' | 'query' | 'body' | 'access' | 'handle'> & {
  access: Name
  params?: Params
  query?: Query
  body?: Body
  handle: (
    deps: Deps,
    call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>, WhoOf<Name>>,
  ) => Promise<Answer | undefined>
}

/**
 * A route whose handler is typed by its schemas. The types are forgotten in the result: what the handler is given has
 * been parsed by these very schemas.
 */
export function route<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Name extends Access = Access,
>(definition: Definition<Params, Query, Body, Name>): Route {
  return definition as unknown as Route
}

// What requests say, parsed: parameters that many routes share, and the whole against the schema of its route.

/** Whatever is not a UUID names nothing: such a parameter is answered with 404, as an unknown id is. */
export const idParams = <Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, id])) as Record<Names, typeof id>)

export const seenVersion = version.describe('The version that was read')

/** A version in a query string. */
export const versionParam = z.coerce.number().int().min(1).max(maxInteger)

export const pageQuery = z.object({
  cursor: id.optional().describe('The next_cursor of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** Throws a 400 `AppError` for one that is empty or too long; `null` without one. */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  const header = headers['idempotency-key']
  if (header === undefined) return null
  const key = String(header).trim()
  if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key must have 1 to 200 characters.')
  return key
}

/** Rows cut to `limit`, and the cursor for more; the query asked for one row too many. */
export function page<Row extends { id: string }>(rows: Row[], limit: number) {
  const items = rows.slice(0, limit)
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/**
 * The parsed parts of a request, their texts clean whatever the route does with them. Throws `AppError`: 404 for a path
 * parameter of the wrong form (it names nothing), 400 with every issue for a wrong query or body, 415 for a body that is
 * not JSON.
 */
export function parseRequest(route: Route, req: Request) {
  return {
    params: route.params && parseParams(route.params, req),
    query: route.query && parse(route.query, cleanDeep(req.query), 'query'),
    body: route.body && parse(route.body, cleanDeep(readBody(req, route.body)), 'body'),
  }
}

function parseParams(schema: z.ZodType, req: Request): unknown {
  const parsed = schema.safeParse(req.params)
  if (parsed.success) return parsed.data
  throw new AppError('not_found', 404, `Route not found: ${req.path}.`)
}

function readBody(req: Request, schema: z.ZodType): unknown {
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && !req.is('json')) {
    throw new AppError(
      'unsupported_media_type',
      415,
      'Send the body as JSON, with Content-Type: application/json.',
    )
  }
  // A route whose fields are all optional can be called without a body.
  return req.body ?? (schema.safeParse({}).success ? {} : undefined)
}

function parse(schema: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  const parsed = parseUntrusted(schema, value)
  if (parsed.success) return parsed.data

  const issues = issuesOf(parsed.error)
  if (value === undefined) throw invalid('The request needs a JSON body.', { details: { issues } })
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  throw invalid(`The ${where} is not valid: ${list}.`, { details: { issues } })
}

/**
 * The version that a write names, from the body's `version` or the `If-Match` header. `null` when neither names one.
 * Throws a 400 `AppError` for an `If-Match` that is no version.
 */
export function namedVersion(req: Request, inBody: number | undefined): number | null {
  if (inBody !== undefined) return inBody
  const header = req.headers['if-match']
  if (header === undefined) return null
  const found = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (!found) throw invalid('If-Match must be the version you read, such as "3".')
  return Number(found)
}

/** As `namedVersion`, but a missing version is a 428 `AppError`. */
export function requiredVersion(req: Request, inBody: number | undefined): number {
  const version = namedVersion(req, inBody)
  if (version !== null) return version
  throw new AppError(
    'version_required',
    428,
    'Send the version you read as "version" in the body or in If-Match, so that no newer change is overwritten.',
  )
}

/** The address that a person knows this server by: the configured one, else the one that the request came to. */
export const ownAddress = (req: Request, publicUrl: string | null): string =>
  publicUrl ?? `${req.protocol}://${req.headers.host}`

/** Where the owner's browser comes back to from signing in to a source. */
export const sourceCallbackPath = '/sources/callback'
