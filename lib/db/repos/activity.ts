// One log out of what is stored anyway: audit rows, calls, messages, drafts and decisions. Nothing is kept twice.

import type { ActivityEntry, ActivitySource } from '../../contract/activity.ts'
import type { Queryable } from '../pool.ts'
import { isOwnConversation } from './imported_conversations.ts'

export type ActivityFilter = {
  /** `null`: any. */
  space_id: string | null
  source: ActivitySource | null
  /** `agents`: what agents did, and the changes that came of their drafts. */
  actor: string | null
  entity_type: string | null
  action: string | null
  entity_id: string | null
  conversation_id: string | null
  turn_id: string | null
  /** `unfinished`: calls that failed or were cut off. */
  status: 'pending' | 'error' | 'cancelled' | 'unfinished' | null
  /** The place of the last entry that was seen. */
  after: { stamp: string; id: string } | null
  limit: number
}

export type ActivityRow = Omit<ActivityEntry, 'title' | 'exists'> & {
  /** The time to the microsecond: the place in the order, together with the id. */
  stamp: string
}

export function createActivityRepo(db: Queryable) {
  return {
    /** All that happened in one order, the latest first. */
    async list(filter: ActivityFilter): Promise<ActivityRow[]> {
      const latest = await latestConversations(db, filter)
      if (latest) {
        const rows = await read(db, filter, latest.ids)
        const last = rows.length === filter.limit ? rows.at(-1) : undefined
        if (latest.until === null || (last && last.stamp > latest.until)) return rows
      }
      return await read(db, filter, null)
    },

    /** The titles that these drafts would give to what they would make, by the id that it would have. */
    async draftedTitles(spaceId: string, draftIds: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await db.query<{ entity_id: string; title: string }>(
        `select entity_id, payload::json ->> 'title' as title
         from pending_changes
         where space_id = $1 and id = any($2) and action = 'create' and entity_id is not null
           and payload::json ->> 'title' is not null`,
        [spaceId, draftIds],
      )
      return new Map(rows.map(({ entity_id, title }) => [entity_id, title]))
    },
  }
}

/** `conversations`: those that messages may be of, `null`: any. */
async function read(
  db: Queryable,
  { source, ...filter }: ActivityFilter,
  conversations: readonly string[] | null,
): Promise<ActivityRow[]> {
  const values: unknown[] = []
  const put = (value: unknown) => `$${values.push(value)}`
  const wanted = source === null ? sources : [source]
  const parts = wanted.map((each) => partOf(each, filter, put, conversations))
  const { rows } = await db.query<ActivityRow>(
    `select *, ${stampOf('at')} as stamp
     from (${parts.join(' union all ')}) as entries
     order by at desc, id desc
     limit ${put(filter.limit)}`,
    values,
  )
  return rows
}

/** Conversations in use since the entry that a page begins after; with more of them it is far down. */
const maxInUse = 1000

/**
 * The conversations of a Space in use latest, among them those that hold the messages of a page: messages know their
 * Space by their conversation alone, and all of the Space would be read to find them. Whatever was said elsewhere was
 * said before `until` or then; `null`: these are all there are. `null` altogether where this finds nothing sooner.
 */
async function latestConversations(
  db: Queryable,
  { space_id, source, conversation_id, turn_id, after, limit }: ActivityFilter,
): Promise<{ ids: string[]; until: string | null } | null> {
  const isOfMessages = source === null || source === 'message'
  if (space_id === null || !isOfMessages || (conversation_id ?? turn_id)) return null
  const { rows } = await db.query<{ ids: string[]; until: string | null }>(
    `select coalesce(array_agg(id), '{}') as ids,
            case when count(*) >= $2 then ${stampOf('min(last_activity_at)')} end as until
     from (
       select id, last_activity_at
       from conversations
       where space_id = $1
       order by last_activity_at desc, id desc
       limit $2 + (
         select count(*)
         from (
           select from conversations where space_id = $1 and last_activity_at > $3::timestamptz limit ${maxInUse}
         ) as in_use
       )
     ) as latest`,
    [space_id, limit, after?.stamp ?? null],
  )
  return rows[0] ?? null
}

const stampOf = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

type Put = (value: unknown) => string

// Each part is cut to the limit by itself, along the index of its times, so that none is read as a whole. What is not
// asked for is not in the statement: a condition that may be empty would hide the others from the planner.
function partOf(
  source: ActivitySource,
  filter: Omit<ActivityFilter, 'source'>,
  put: Put,
  conversations: readonly string[] | null,
): string {
  const { actor, status, after, limit } = filter
  const conditions = equalities.flatMap((name) =>
    filter[name] === null
      ? []
      : [`${name} = ${put(filter[name])}${name.endsWith('_id') ? '::uuid' : '::text'}`],
  )
  if (conversations && source === 'message')
    conditions.push(`conversation_id = any(${put(conversations)}::uuid[])`)
  const isNamed = actor !== null && actor !== 'agents'
  if (isNamed && !byAgent.has(source)) conditions.push(`actor = ${put(actor)}::text`)
  if (actor === 'agents') conditions.push(ofAgents(source))
  if (status !== null)
    conditions.push(
      status === 'unfinished' ? "status not in ('done', 'pending')" : `status = ${put(status)}::text`,
    )
  if (after) {
    const at = `${put(after.stamp)}::timestamptz`
    conditions.push(`at <= ${at}`, `(at, id) < (${at}, ${put(after.id)}::text)`)
  }
  return `(
    select *
    from (${halves[source]} ${isNamed && byAgent.has(source) ? ofAgent(source, put(actor)) : ''}) as part
    where ${conditions.length > 0 ? conditions.join(' and ') : 'true'}
    order by at desc, id desc
    limit ${put(limit)}
  )`
}

const equalities = ['space_id', 'entity_type', 'entity_id', 'action', 'conversation_id', 'turn_id'] as const

/** A change that came of a draft is an agent's work, too. */
const ofAgents = (source: ActivitySource) =>
  source === 'change' ? "(actor like 'agent:%' or pending_change_id is not null)" : "actor like 'agent:%'"

/** Parts whose rows name an agent by its id, which has an index. */
const byAgent = new Set<ActivitySource>(['call', 'draft'])

const ofAgent = (source: ActivitySource, actor: string) => `
    where ${source === 'call' ? 'tool_calls' : 'pending_changes'}.agent_id = (
      select id from agents where 'agent:' || slug = ${actor}::text
    )`

const noTiming = 'null::text as passage, null::text as status, null::integer as duration_ms'
const noCall = `${noTiming}, null::json as arguments`
const nothing = `'{}'::text[] as fields, ${noCall}`

const halves: Record<ActivitySource, string> = {
  change: `
    select 'change:' || seq as id, 'change' as source, at, space_id, actor, action, entity_type, entity_id,
           case when action = 'update' and after is not null
             then array(select json_object_keys(after::json)) else '{}'::text[] end as fields,
           ${noCall}, '' as result, pending_change_id, draft.turn_id, draft.conversation_id, draft.tool_use_id
    from audit_log
    left join lateral (
      select turn_id, conversation_id, tool_use_id from pending_changes where id = audit_log.pending_change_id
    ) draft on true`,

  call: `
    select 'call:' || tool_calls.id as id, 'call' as source, tool_calls.created_at as at, tool_calls.space_id,
           'agent:' || agents.slug as actor, tool_calls.name as action, tool_calls.entity_type,
           tool_calls.entity_id, '{}'::text[] as fields, tool_calls.passage, tool_calls.status, tool_calls.duration_ms,
           arguments, result, pending_changes.id as pending_change_id, tool_calls.turn_id, turns.conversation_id,
           tool_calls.tool_use_id
    from tool_calls
    join agents on agents.id = tool_calls.agent_id
    left join turns on turns.id = tool_calls.turn_id
    left join pending_changes
      on pending_changes.turn_id = tool_calls.turn_id and pending_changes.tool_use_id = tool_calls.tool_use_id`,

  message: `
    select 'message:' || messages.id as id, 'message' as source, messages.created_at as at,
           conversations.space_id,
           case when role = 'user' then 'owner' else 'agent:' || agents.slug end as actor,
           case when role = 'user' then 'ask' else 'answer' end as action,
           null::text as entity_type, null::uuid as entity_id, '{}'::text[] as fields, ${noTiming},
           case when metadata ->> 'prompt_hash' is not null then
             json_build_object('model', metadata -> 'model', 'prompt_hash', metadata -> 'prompt_hash')
           end as arguments,
           left(messages.body, 300) as result, null::uuid as pending_change_id, messages.turn_id,
           messages.conversation_id, null::text as tool_use_id
    from messages
    join conversations on conversations.id = messages.conversation_id
    join agents on agents.id = coalesce(messages.agent_id, conversations.agent_id)
    where conversations.deleted_at is null and ${isOwnConversation('conversations.id')}`,

  draft: `
    select 'draft:' || pending_changes.id as id, 'draft' as source, pending_changes.created_at as at,
           pending_changes.space_id, 'agent:' || agents.slug as actor, action, entity_type, entity_id, ${nothing},
           reason as result, pending_changes.id as pending_change_id, turn_id, conversation_id, tool_use_id
    from pending_changes
    join agents on agents.id = pending_changes.agent_id`,

  decision: `
    select 'decision:' || pending_changes.id as id, 'decision' as source, decided_at as at,
           pending_changes.space_id, coalesce(decided_by, 'system:void') as actor, status as action, entity_type,
           entity_id, ${nothing}, coalesce(decision ->> 'reason', '') as result,
           pending_changes.id as pending_change_id, turn_id, conversation_id, tool_use_id
    from pending_changes
    where decided_at is not null`,

  glance: `
    select 'glance:' || glances.id as id, 'glance' as source, created_at as at, space_id, 'system:glance' as actor,
           'nudge' as action, 'mail_thread' as entity_type, thread_id as entity_id, ${nothing},
           coalesce(message, '') as result, null::uuid as pending_change_id, null::uuid as turn_id,
           null::uuid as conversation_id, null::text as tool_use_id
    from glances
    where nudge and mode = 'live'`,
}

const sources = Object.keys(halves) as ActivitySource[]
