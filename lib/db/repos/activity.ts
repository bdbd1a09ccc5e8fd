import type { ActivityEntry } from '../../contract/activity.ts'
import type { Queryable } from '../pool.ts'

export type ActivityFilter = {
  /** `null`: any. */
  space_id: string | null
  source: 'change' | 'call' | null
  actor: string | null
  entity_type: string | null
  action: string | null
  /** The place of the last entry that was seen. */
  after: { stamp: number; id: string } | null
  limit: number
}

export type ActivityRow = Omit<ActivityEntry, 'title'> & {
  /** Microseconds since 1970: the place in the order, together with the id. */
  stamp: number
}

/** Audit rows and calls of agents in one order, the latest first. */
export function createActivityRepo(db: Queryable) {
  return {
    async list({ after, ...filter }: ActivityFilter): Promise<ActivityRow[]> {
      const { rows } = await db.query<ActivityRow>(
        `select *
         from (${changes} union all ${calls}) as entries
         order by stamp desc, id desc
         limit $8`,
        [
          filter.space_id,
          filter.source,
          filter.actor,
          filter.entity_type,
          filter.action,
          after?.stamp ?? null,
          after?.id ?? null,
          filter.limit,
        ],
      )
      return rows
    },
  }
}

// Each half is cut to the limit by itself, so that neither is read as a whole.
const half = (select: string) => `
  select *
  from (${select}) as half
  where ($1::uuid is null or space_id = $1)
    and ($2::text is null or source = $2)
    and ($3::text is null or actor = $3)
    and ($4::text is null or entity_type = $4)
    and ($5::text is null or action = $5)
    and ($6::bigint is null or (stamp, id) < ($6, $7::text))
  order by stamp desc, id desc
  limit $8`

const changes = `(${half(`
  select 'change:' || seq as id, 'change' as source, at, (extract(epoch from at) * 1000000)::bigint as stamp,
         space_id, actor, action, entity_type, entity_id,
         case when action = 'update' and after is not null
           then array(select json_object_keys(after::json)) else '{}'::text[] end as fields,
         pending_change_id, false as failed, '' as result, null::integer as duration_ms, null::json as arguments
  from audit_log`)})`

const calls = `(${half(`
  select 'call:' || tool_calls.id as id, 'call' as source, tool_calls.created_at as at,
         (extract(epoch from tool_calls.created_at) * 1000000)::bigint as stamp,
         tool_calls.space_id, 'agent:' || agents.slug as actor, tool_calls.name as action, tool_calls.entity_type,
         tool_calls.entity_id, '{}'::text[] as fields, pending_changes.id as pending_change_id,
         tool_calls.status = 'error' as failed, result, duration_ms, arguments
  from tool_calls
  join agents on agents.id = tool_calls.agent_id
  left join pending_changes
    on pending_changes.turn_id = tool_calls.turn_id and pending_changes.tool_use_id = tool_calls.tool_use_id`)})`
