// A route is data: what it takes, what it answers, who may call it, and the function that does it. The router, the
// OpenAPI document and the tests of the documentation are all made from the same list.

import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { Actor, OwnerActor, SystemActor } from '../core/actor.ts'
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
