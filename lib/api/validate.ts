import type { Request } from 'express'
import type { z } from 'zod'
import { issuesOf, parseUntrusted } from '../content/writes/validate-fields.ts'
import { AppError, invalid } from '../core/errors.ts'
import { cleanDeep } from '../core/text/clean.ts'
import type { Route } from './route.ts'

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
