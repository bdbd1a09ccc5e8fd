// The way of a request to its route: what every request passes first (names of the host, refusals for the state of the
// server, metrics), then its credentials and its body; and the record of what agents ask for.

import { type Request, type RequestHandler, type Response, Router } from 'express'
import { v7 as uuid } from 'uuid'
import type { ToolTarget } from '../ai/agent/registry.ts'
import { siteOf } from '../auth/oauth/metadata.ts'
import type { Kind } from '../contract/entities/kind.ts'
import type { AgentActor } from '../core/actor.ts'
import { AppError, shuttingDown } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import { boundJson } from '../core/text/bounds.ts'
import { cleanDeep, cleanLine } from '../core/text/clean.ts'
import { passageOf } from '../core/text/markdown.ts'
import type { NewToolCall } from '../db/repos/tool_calls.ts'
import type { Telemetry } from '../ops/telemetry/telemetry.ts'
import type { BegunCall, CallReport } from '../outside/mcp/call-tool.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'
import { addressOf, type Guard, limiter, pass } from './guard.ts'
import { createBodyReader } from './read-json.ts'
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
  res.locals.onBegin = (begun: BegunCall) =>
    deps.repos.toolCalls.insert(
      { ...toRow({ ...begun, status: 'done', summary: '', target: null }, agent, 0), ...unfinished },
      null,
    )
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

// What agents ask for with tokens of their own is recorded as what they do in a turn is. One place sees every route,
// so that the next one cannot forget it.

type MadeCall = {
  route: Route
  actor: AgentActor
  /** As parsed; what could not be parsed, as it came. */
  given: { params?: unknown; query?: unknown; body?: unknown }
  outcome: { answer: Answer | undefined } | { error: unknown }
  /** The calls of tools that the request held; they are recorded in its place. */
  calls?: readonly CallReport[] | undefined
  duration_ms: number
}

/** Stores the record of a call. Rejects when it cannot: what is not in the log was not done. */
async function recordCall({ repos, kinds }: Deps, call: MadeCall): Promise<void> {
  if (call.calls?.length) {
    for (const report of call.calls)
      await repos.toolCalls.insert(toRow(report, call.actor, call.duration_ms), null)
    return
  }
  const { report, kind } = ofRequest(kinds.all, call)
  await repos.toolCalls.insert(toRow(report, call.actor, call.duration_ms), kind)
}

/** What a request was, and the kind whose title at that time goes with it. */
function ofRequest(all: readonly Kind[], { route, given, outcome }: MadeCall) {
  const answered = 'answer' in outcome ? fieldsOf(outcome.answer?.body) : {}
  const args = { ...fieldsOf(given.query), ...fieldsOf(given.body), ...fieldsOf(given.params) }
  const { kind, target } = subjectOf(all, route, { answered, args })
  const report: CallReport = {
    name: nameOf(route, args),
    args: { request: `${route.method.toUpperCase()} ${route.path}`, ...args },
    space_id: idOf(answered.space_id) ?? idOf(args.space_id),
    status: 'error' in outcome ? 'error' : 'done',
    summary: 'error' in outcome ? toAppError(outcome.error).message : summarize(answered),
    target,
  }
  return { report, kind }
}

const unfinished = { status: 'pending' as const, duration_ms: null }

const toRow = (report: CallReport, actor: AgentActor, duration_ms: number): NewToolCall => ({
  id: report.id ?? uuid(),
  space_id: report.space_id,
  agent_id: actor.agent_id,
  turn_id: null,
  tool_use_id: null,
  name: cleanLine(report.name).slice(0, 100),
  arguments: boundJson(cleanDeep(report.args)),
  result: cleanLine(report.summary).slice(0, 300),
  entity_type: report.target?.entity_type ?? null,
  entity_id: idOf(report.target?.entity_id),
  passage: passageOf(report.target?.passage),
  status: report.status,
  duration_ms: Math.round(duration_ms),
})

/** A call by the name of the tool that does the same in a turn; what no tool does, by its address. */
function nameOf({ access, method, path }: Route, args: Fields): string {
  if (path === '/mcp') return `mcp ${cleanLine(String(args.method ?? method)).slice(0, 60)}`
  if (access !== 'agent') return `${method.toUpperCase()} ${path}`
  if (method !== 'get') return 'propose_change'
  if (/\/(search|suggest)$/.test(path)) return 'search'
  return /:(id|space_id$)/.test(path) ? 'read' : 'list'
}

type Fields = Record<string, unknown>

/** What it was about: what the answer says of itself, else what the address names. */
function subjectOf(
  all: readonly Kind[],
  { path, access }: Route,
  { answered, args }: { answered: Fields; args: Fields },
): { kind: Kind | null; target: ToolTarget | null } {
  const id = idOf(answered.entity_id)
  if (id && typeof answered.entity_type === 'string')
    return { kind: null, target: { entity_type: answered.entity_type, entity_id: id } }
  const kind = all.find((each) => path.startsWith(`/api/${each.path}/:id`))
  const named = idOf(args.id)
  if (!kind || !named || access === 'public') return { kind: null, target: null }
  return { kind, target: { entity_type: kind.type, entity_id: named } }
}

function summarize({ items, title, name, status, version, payload_sha256 }: Fields): string {
  if (Array.isArray(items)) return `${items.length} ${items.length === 1 ? 'entry' : 'entries'}`
  if (payload_sha256 !== undefined) return `a draft, ${String(status)}`
  const called = typeof title === 'string' ? title : name
  if (typeof called === 'string')
    return `“${called}”${typeof version === 'number' ? `, version ${version}` : ''}`
  return 'sent'
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? { ...value } : {})

const idOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : null

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
