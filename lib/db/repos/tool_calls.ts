import type { Kind } from '../../entities/kind.ts'
import type { Queryable } from '../pool.ts'

export type ToolCallRow = {
  id: string
  /** `null`: it was about no one Space. */
  space_id: string | null
  agent_id: string
  turn_id: string | null
  tool_use_id: string | null
  name: string
  arguments: unknown
  /** A summary, never the whole result. */
  result: string
  entity_type: string | null
  entity_id: string | null
  /** The words at which what it was about begins. */
  passage: string | null
  /** `cancelled`: it was cut off before it ended, by a stop, a limit, or the end of its server. */
  status: 'done' | 'error' | 'cancelled'
  /** `null`: nobody measured it. */
  duration_ms: number | null
  created_at: string
}

/** A call as it is stored with a step of its turn. */
export type NewToolCall = Omit<ToolCallRow, 'created_at'>

/** The record of every call an agent made. A turn writes its own together with its steps, in turn_steps.ts. */
export function createToolCallsRepo(db: Queryable) {
  return {
    /**
     * Stores a call that belongs to no turn. Without a Space of its own it is of the one that its entity, of the given
     * kind, is in; a Space or an entity that there is not is left out.
     */
    async insert(call: Omit<ToolCallRow, 'created_at'>, kind: Kind | null): Promise<void> {
      const ofEntity = kind ? `(select space_id from ${kind.table} where id = $10)` : 'null::uuid'
      await db.query(
        `insert into tool_calls
           (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
            duration_ms, passage)
         values ($1, coalesce((select id from spaces where id = $2), ${ofEntity}), $3, $4, $5, $6, $7, $8, $9, $10::uuid,
           $11, $12, $13)`,
        [
          call.id,
          call.space_id,
          call.agent_id,
          call.turn_id,
          call.tool_use_id,
          call.name,
          JSON.stringify(call.arguments),
          call.result,
          call.entity_type,
          call.entity_id,
          call.status,
          call.duration_ms,
          call.passage,
        ],
      )
    },

    /** Removes those made until `until`, at most `limit`. How many there were. */
    async prune(until: Date | string, limit: number): Promise<number> {
      const { rowCount } = await db.query(
        `delete from tool_calls
         where id in (select id from tool_calls where created_at <= $1::timestamptz order by created_at limit $2)`,
        [until, limit],
      )
      return rowCount ?? 0
    },

    /**
     * When the latest record was made that no longer fits and is from before `before`: their texts are counted from the
     * newest on. `null`: all fit.
     */
    async findExcess(before: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ made: string }>(
        `select created_at::text as made
         from (
           select created_at, sum(bytes) over (order by created_at desc, id desc) as total
           from (
             select id, created_at,
               octet_length(arguments::text) + octet_length(result) + coalesce(octet_length(passage), 0) as bytes
             from tool_calls
           ) as texts
         ) as summed
         where total > $2 and created_at < $1
         order by created_at desc
         limit 1`,
        [before, maxBytes],
      )
      return rows[0]?.made ?? null
    },

    /** The calls of a turn, in the order in which they ended. */
    async listOfTurn(turnId: string): Promise<ToolCallRow[]> {
      const { rows } = await db.query<ToolCallRow>(
        `select id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
           duration_ms, passage, created_at
         from tool_calls
         where turn_id = $1
         order by id`,
        [turnId],
      )
      return rows
    },
  }
}
