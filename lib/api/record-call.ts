// What agents ask for with tokens of their own is recorded as what they do in a turn is. One place sees every route,
// so that the next one cannot forget it.

import { v7 as uuid } from 'uuid'
import type { ToolTarget } from '../ai/agent/registry.ts'
import type { Kind } from '../contract/entities/kind.ts'
import type { AgentActor } from '../core/actor.ts'
import { isRecord } from '../core/record.ts'
import { boundJson } from '../core/text/bounds.ts'
import { cleanDeep, cleanLine } from '../core/text/clean.ts'
import { passageOf } from '../core/text/markdown.ts'
import type { NewToolCall } from '../db/repos/tool_calls.ts'
import type { BegunCall, CallReport } from '../outside/mcp/call-tool.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'
import type { Answer, Route } from './route.ts'

export type MadeCall = {
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
export async function recordCall({ repos, kinds }: Deps, call: MadeCall): Promise<void> {
  if (call.calls?.length) {
    for (const report of call.calls)
      await repos.toolCalls.insert(toRow(report, call.actor, call.duration_ms), null)
    return
  }
  const { report, kind } = ofRequest(kinds.all, call)
  await repos.toolCalls.insert(toRow(report, call.actor, call.duration_ms), kind)
}

/** Stores that a call has begun. Rejects when it cannot, before anything was done. */
export async function recordBegun(
  { repos }: Pick<Deps, 'repos'>,
  actor: AgentActor,
  begun: BegunCall,
): Promise<void> {
  const report: CallReport = { ...begun, status: 'done', summary: '', target: null }
  await repos.toolCalls.insert({ ...toRow(report, actor, 0), status: 'pending', duration_ms: null }, null)
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
