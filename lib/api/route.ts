// A route is data: its schemas, its access and its handler. The router, the OpenAPI document and the documentation tests
// use the same list.

import type { Request, Response } from 'express'
import { z } from 'zod'
import { id, maxInteger, version } from '../contract/scalars.ts'
import type { Actor, OwnerActor, SystemActor } from '../core/actor.ts'
import { AppError, invalid } from '../core/errors.ts'
import { issuesOf, parseUntrusted } from '../core/parse-untrusted.ts'
import { cleanDeep } from '../core/text/clean.ts'
import type { Deps } from './deps.ts'
import type { Access } from './guard.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type Call<Params, Query, Body, Who> = {
  params: Params
  query: Query
  body: Body
  actor: Who
  req: Request
  res: Response
}

/**
 * Result of a handler. A handler that writes the response itself returns nothing, or `send`, which is called once the
 * agent's call is recorded.
 */
export type Answer = { status?: 200 | 201 | 202 | 204; body?: unknown; send?: () => void }

export type Route = {
  method: Method
  /** In Express's form, with `:name` for parameters. */
  path: string
  access: Access
  summary: string
  /** Protected resource of OAuth access tokens; a 401 says how to get one. */
  oauth?: true
  /** Rate limit per client address. */
  limit?: { requests: number; windowMs: number }
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Throws an `AppError` for a caller who may not do this, before the body is read. */
  rights?: (actor: Actor) => void
  /** Maximum body size, in the format of the `bytes` package. Default: 256kb; for `public`: 4kb. */
  bodyLimit?: string
  /** Maximum number of values in the body, in its arrays and objects at any depth. Default: 5000. */
  bodyValues?: number
  /** Large bodies are handled one at a time, since handling their lists takes time on the event loop. */
  alone?: true
  /** How many calls a body holds. Default: it is one. */
  calls?: (body: unknown) => number
  /** Answered whatever the Host header says, as probes of a proxy and of a container need it. */
  anyHost?: true
  /** Default: 503 once the server is asked to stop. */
  servedWhileDraining?: true
  /** Schema or description of each success response, by status. */
  answers: Record<number, z.ZodType | string>
  /** Media type of success responses. Default: JSON. */
  mediaType?: string
  /** Schema of each event or line of a stream: `{ type, data }` of a server-sent event, the JSON of a line. */
  stream?: z.ZodType
  /** Schema of an error response. Default: the error of this API. */
  refusal?: z.ZodType
  /** Schemas of success responses in other media types, for callers that accept them. */
  alternatives?: Record<string, z.ZodType>
  handle: (deps: Deps, call: Call<never, never, never, never>) => Promise<Answer | undefined>
}

/** Maximum size of a body that holds a long text, such as a page. */
export const longBody = '4mb'

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
 * Types the handler by the route's schemas. The result drops these types: the router calls the handler with values parsed by
 * the same schemas.
 */
export function route<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Name extends Access = Access,
>(definition: Definition<Params, Query, Body, Name>): Route {
  return definition as unknown as Route
}

// Shared request parameters, and validation of a request against the schemas of its route.

/** A parameter that is not a UUID is answered with 404, like an unknown id. */
export const idParams = <Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, id])) as Record<Names, typeof id>)

export const seenVersion = version.describe('Version the caller read')

/** Entity version in a query string. */
export const versionParam = z.coerce.number().int().min(1).max(maxInteger)

export const pageQuery = z.object({
  cursor: id.optional().describe('next_cursor of the previous page'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** `null`: not sent. Throws a 400 `AppError` if it is empty or too long. */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  const header = headers['idempotency-key']
  if (header === undefined) return null
  const key = String(header).trim()
  if (key.length < 1 || key.length > 200) throw invalid('Idempotency-Key must have 1 to 200 characters.')
  return key
}

/** A page of `limit` rows and the cursor of the next page; the query returned up to one row more. */
export function page<Row extends { id: string }>(rows: Row[], limit: number) {
  const items = rows.slice(0, limit)
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/**
 * Parses a request, with all texts cleaned. Throws `AppError`: 404 for a malformed path parameter, 400 with all issues for
 * an invalid query or body, 415 for a body that is not JSON.
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
  const list = issues
    .map(({ path, message }) => (path ? `${path}: ${message}` : message).replace(/\.$/, ''))
    .join('; ')
  throw invalid(`The ${where} is not valid: ${list}.`, { details: { issues } })
}

/**
 * The version a write is based on, from the body's `version` or the `If-Match` header; `null` if neither is present.
 * Throws a 400 `AppError` for an invalid `If-Match`.
 */
export function namedVersion(req: Request, inBody: number | undefined): number | null {
  if (inBody !== undefined) return inBody
  const header = req.headers['if-match']
  if (header === undefined) return null
  const digits = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (!digits) throw invalid('If-Match must be the version you read, such as "3".')
  return Number(digits)
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

/** The server's public base URL. Default: derived from the request. */
export const ownAddress = (req: Request, publicUrl: string | null): string =>
  publicUrl ?? `${req.protocol}://${req.headers.host}`

/** OAuth redirect path after signing in to a source. */
export const sourceCallbackPath = '/sources/callback'
