import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { v7 as uuid } from 'uuid'
import type { ToolTarget } from '../ai/agent/tool.ts'
import { siteOf } from '../auth/oauth/metadata.ts'
import type { Kind } from '../contract/entities/kind.ts'
import type { AgentActor } from '../core/actor.ts'
import { boundJson } from '../core/text/bound-json.ts'
import { cleanDeep, cleanLine } from '../core/text/clean.ts'
import { passageOf } from '../core/text/plain-text.ts'
import type { NewToolCall } from '../db/repos/tool_calls.ts'
import type { CallReport } from '../outside/mcp/call-tool.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'
import type { Guard } from './guard.ts'
import { addressOf, limiter } from './limiter.ts'
import { refuseOnFullDisk, refuseWhileDraining } from './middleware.ts'
import { type Answer, type Call, parseRequest, type Route } from './route.ts'

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
    for (const report of call.calls) await repos.toolCalls.insert(toRow(report, call), null)
    return
  }
  const { report, kind } = ofRequest(kinds.all, call)
  await repos.toolCalls.insert(toRow(report, call), kind)
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

const toRow = (report: CallReport, { actor, duration_ms }: MadeCall): NewToolCall => ({
  id: uuid(),
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

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const idOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : null
