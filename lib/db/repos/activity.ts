// One log out of what is stored anyway: audit rows, calls, messages, drafts and decisions. Nothing is kept twice.

import type { ActivityEntry, ActivitySource } from '../../contract/activity.ts'
import type { Queryable } from '../pool.ts'

export type ActivityFilter = {
  /** `null`: any. */
  space_id: string | null
  source: ActivitySource | null
  actor: string | null
  entity_type: string | null
  action: string | null
  turn_id: string | null
  /** The place of the last entry that was seen. */
  after: { stamp: string; id: string } | null
  limit: number
}

export type ActivityRow = Omit<ActivityEntry, 'title'> & {
  /** The time to the microsecond: the place in the order, together with the id. */
  stamp: string
}

export function createActivityRepo(db: Queryable) {
  return {
    /** All that happened in one order, the latest first. */
    async list({ after, source, ...filter }: ActivityFilter): Promise<ActivityRow[]> {
      const wanted = source === null ? Object.values(halves) : [halves[source]]
      const { rows } = await db.query<ActivityRow>(
        `select *, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp
         from (${wanted.map(half).join(' union all ')}) as entries
         order by at desc, id desc
         limit $8`,
        [
          filter.space_id,
          filter.actor,
          filter.entity_type,
          filter.action,
          filter.turn_id,
          after?.stamp ?? null,
          after?.id ?? null,
          filter.limit,
        ],
      )
      return rows
    },
  }
}

// Each part is cut to the limit by itself, along the index of its times, so that none is read as a whole.
const half = (select: string) => `(
  select *
  from (${select}) as part
  where ($1::uuid is null or space_id = $1)
    and ($2::text is null or actor = $2)
    and ($3::text is null or entity_type = $3)
    and ($4::text is null or action = $4)
    and ($5::uuid is null or turn_id = $5)
    and ($6::timestamptz is null or at <= $6)
    and ($6::timestamptz is null or (at, id) < ($6, $7::text))
  order by at desc, id desc
  limit $8
)`

const nothing = `'{}'::text[] as fields, false as failed, null::integer as duration_ms, null::json as arguments`

const halves: Record<ActivitySource, string> = {
  change: `
    select 'change:' || seq as id, 'change' as source, at, space_id, actor, action, entity_type, entity_id,
           case when action = 'update' and after is not null
             then array(select json_object_keys(after::json)) else '{}'::text[] end as fields,
           false as failed, null::integer as duration_ms, null::json as arguments,
           '' as result, pending_change_id, null::uuid as turn_id, null::uuid as conversation_id,
           null::text as tool_use_id
    from audit_log`,

  call: `
    select 'call:' || tool_calls.id as id, 'call' as source, tool_calls.created_at as at, tool_calls.space_id,
           'agent:' || agents.slug as actor, tool_calls.name as action, tool_calls.entity_type,
           tool_calls.entity_id, '{}'::text[] as fields, tool_calls.status = 'error' as failed, tool_calls.duration_ms,
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
           null::text as entity_type, null::uuid as entity_id, ${nothing},
           left(messages.body, 300) as result, null::uuid as pending_change_id, messages.turn_id,
           messages.conversation_id, null::text as tool_use_id
    from messages
    join conversations on conversations.id = messages.conversation_id
    join agents on agents.id = conversations.agent_id`,

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
}
