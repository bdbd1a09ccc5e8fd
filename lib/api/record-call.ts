// What agents ask for with tokens of their own is recorded as what they do in a turn is. One place sees every route,
// so that the next one cannot forget it.

import { v7 as uuid } from 'uuid'
import type { AgentActor } from '../auth/actor.ts'
import { createToolCallsRepo } from '../db/repos/tool_calls.ts'
import type { Kind } from '../entities/kind.ts'
import { boundJson } from '../text/bound-json.ts'
import { cleanDeep, cleanLine } from '../text/clean.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'
import type { Answer, Route } from './route.ts'

export type MadeCall = {
  route: Route
  actor: AgentActor
  /** As parsed; what could not be parsed, as it came. */
  given: { params?: unknown; query?: unknown; body?: unknown }
  outcome: { answer: Answer | undefined } | { error: unknown }
  duration_ms: number
}

/** Stores the record of a call. Rejects when it cannot: what is not in the log was not done. */
export async function recordCall({ database, kinds }: Deps, call: MadeCall): Promise<void> {
  const { route, actor, given, outcome, duration_ms } = call
  const answered = 'answer' in outcome ? fieldsOf(outcome.answer?.body) : {}
  const args = { ...fieldsOf(given.query), ...fieldsOf(given.body), ...fieldsOf(given.params) }
  const { kind, entity } = subjectOf(kinds.all, route, { answered, args })
  await createToolCallsRepo(database).insert(
    {
      id: uuid(),
      space_id: idOf(answered.space_id) ?? idOf(args.space_id),
      agent_id: actor.agent_id,
      turn_id: null,
      tool_use_id: null,
      name: nameOf(route),
      arguments: boundJson(cleanDeep({ request: `${route.method.toUpperCase()} ${route.path}`, ...args })),
      result: cleanLine('error' in outcome ? toAppError(outcome.error).message : summarize(answered)).slice(
        0,
        300,
      ),
      entity_type: entity?.type ?? null,
      entity_id: entity?.id ?? null,
      status: 'error' in outcome ? 'error' : 'done',
      duration_ms: Math.round(duration_ms),
    },
    kind,
  )
}

/** A call by the name of the tool that does the same in a turn; what no tool does, by its address. */
function nameOf({ access, method, path }: Route): string {
  if (access !== 'agent') return `${method.toUpperCase()} ${path}`
  if (method !== 'get') return 'propose_change'
  if (/\/(search|suggest)$/.test(path)) return 'search'
  return /:(id|space_id$)/.test(path) ? 'read' : 'list'
}

type Fields = Record<string, unknown>
type Entity = { type: string; id: string }

/** What it was about: what the answer says of itself, else what the address names. */
function subjectOf(
  all: readonly Kind[],
  { path, access }: Route,
  { answered, args }: { answered: Fields; args: Fields },
): { kind: Kind | null; entity: Entity | null } {
  const id = idOf(answered.entity_id)
  if (id && typeof answered.entity_type === 'string')
    return { kind: null, entity: { type: answered.entity_type, id } }
  const kind = all.find((each) => path.startsWith(`/api/${each.path}/:id`))
  const named = idOf(args.id)
  if (!kind || !named || access === 'public') return { kind: null, entity: null }
  return { kind, entity: { type: kind.type, id: named } }
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
