// A request of a run: an operation of the app's own OpenAPI document, by one of the callers, right, nearly right or wrong.

import { distortBody, distortWire, extraHeaders } from './distort.ts'
import { hostileText } from './hostile-values.ts'
import type { IdPool } from './id-pool.ts'
import { mutate } from './mutate.ts'
import type { Operation } from './operations.ts'
import type { Random } from './random.ts'
import { valueFor } from './value-from-schema.ts'

export type Caller = 'owner' | 'suggest' | 'read' | 'nobody'

export type FuzzRequest = {
  caller: Caller
  /** What it was made for; the method of the request may be another. */
  operation: string
  method: string
  /** Path and query as they go over the wire. */
  target: string
  headers: [name: string, value: string][]
  body: Buffer | null
  /** The whole message, where it is one that no HTTP client would write. */
  raw: Buffer | null
}

export type RequestSources = {
  random: Random
  operations: readonly Operation[]
  pool: IdPool
  /** Paths of the pages that the server renders. */
  pages: readonly string[]
  /** The `Authorization` header of a caller; `null` for none. */
  authorize(caller: Caller, random: Random): string | null
  host: string
}

const oddMethods = ['HEAD', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'DELETE', 'POST', 'PATCH', 'GET']

export function makeRequest(sources: RequestSources): FuzzRequest {
  const { random, operations, pages, host } = sources
  const drawn = random.pick(operations)
  // Were every deletion made, most other requests would meet nothing.
  const operation = drawn.method === 'delete' && random.chance(0.6) ? random.pick(operations) : drawn
  const caller = callerOf(operation, random)
  const authorization = sources.authorize(caller, random)
  const base: [string, string][] = [
    ['Host', host],
    // Wrong credentials count for an address; each request has one of its own.
    ['X-Forwarded-For', `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`],
    ...(authorization ? [['Authorization', authorization] as [string, string]] : []),
    ...(random.chance(0.2) ? extraHeaders(random) : []),
  ]
  if (random.chance(0.04)) {
    const target = random.pick(pages) + (random.chance(0.4) ? queryOf([['q', hostileText(random)]]) : '')
    return { caller, operation: 'page', method: 'GET', target, headers: base, body: null, raw: null }
  }

  const method = random.chance(0.06) ? random.pick(oddMethods) : operation.method.toUpperCase()
  const { path, id } = fillPath(operation, sources)
  const request: FuzzRequest = {
    caller,
    operation: `${operation.method.toUpperCase()} ${operation.path}`,
    method,
    target: path + queryFor(operation, sources),
    headers: base,
    body: null,
    raw: null,
  }
  const sent = operation.body ? withBody(request, operation, { ...sources, id }) : request
  return random.chance(0.02) ? { ...sent, raw: distortWire(sent, random) } : sent
}

/** What is the owner's alone is mostly asked by the owner, so that it is done and not only refused. */
function callerOf({ access }: Operation, random: Random): Caller {
  const roll = random.next()
  const asOwner = access === 'owner' ? 0.75 : 0.35
  if (roll < asOwner) return 'owner'
  return random.pick(['suggest', 'suggest', 'suggest', 'read', 'read', 'nobody'])
}

function fillPath(
  operation: Operation,
  { random, pool }: RequestSources,
): { path: string; id: string | null } {
  const parts = operation.path.split('/')
  let id: string | null = null
  const filled = parts.map((part, at) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (!name) return part
    const sort = name === 'id' ? parts[at - 1]! : name
    if (random.chance(0.06)) return encodeURIComponent(hostileText(random).toWellFormed().slice(0, 3000))
    id = pool.pick(sort, random) ?? '01900000-0000-7000-8000-000000000000'
    return encodeURIComponent(id.toWellFormed())
  })
  return { path: filled.join('/'), id }
}

function queryFor({ query }: Operation, sources: RequestSources): string {
  const { random, pool } = sources
  const isWrong = random.chance(0.25)
  const given = query.flatMap(({ name, schema, required }): [string, string][] => {
    if (!required && !random.chance(0.45)) return []
    const value =
      isWrong && random.chance(0.5) ? hostileText(random) : valueFor(schema, name, { random, pool })
    const pair: [string, string] = [name, String(value)]
    return random.chance(0.03) ? [pair, pair] : [pair]
  })
  if (random.chance(0.03)) given.push([hostileText(random).slice(0, 200), 'x'])
  return queryOf(given)
}

const queryOf = (pairs: [string, string][]): string =>
  pairs.length === 0
    ? ''
    : `?${pairs.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed().slice(0, 4000))).join('=')).join('&')}`

function withBody(
  request: FuzzRequest,
  { body: schema, path }: Operation,
  sources: RequestSources & { id: string | null },
): FuzzRequest {
  const { random, pool, id } = sources
  const name = path.split('/').at(-1)!
  const fitting = valueFor(schema!, name, { random, pool })
  const known = id ? pool.versionOf(id) : undefined
  if (known !== undefined && typeof fitting === 'object' && fitting !== null && 'version' in fitting) {
    if (random.chance(0.8)) Object.assign(fitting, { version: known })
  }
  let value: unknown = fitting
  if (random.chance(0.45)) {
    for (let left = 1 + random.below(3); left > 0; left -= 1) value = mutate(value, random)
  }
  const body = Buffer.from(JSON.stringify(value) ?? '')
  const plain = { body, headers: [['Content-Type', 'application/json'] as [string, string]] }
  const { body: bytes, headers } = random.chance(0.12) ? distortBody(plain.body, random) : plain
  return { ...request, body: bytes, headers: [...request.headers, ...headers] }
}
