import type { CallPurpose, UsageGrouping, UsageItem } from '../../contract/companion/usage.ts'
import type { Queryable } from '../pool.ts'

export type UsageFilter = {
  from: Date
  /** Not included. */
  until: Date
  space_id: string | null
  agent: string | null
  model: string | null
  conversation_id: string | null
  turn_id: string | null
}

/** What one model used within one group. */
export type UsageRow = Omit<UsageItem, 'tokens' | 'cost' | 'unpriced_tokens'> & { model: string }

export type SideCall = Pick<
  UsageRow,
  | 'model'
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_creation_input_tokens'
  | 'cache_read_input_tokens'
  | 'duration_ms'
> & {
  id: string
  space_id: string | null
  conversation_id: string | null
  turn_id: string | null
  purpose: Exclude<CallPurpose, 'answer'>
}

const kinds = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']

// An answer counts when it has ended, one that is being written now, by its finished steps. So does one that was given
// up, whose turn holds no sum.
const spent = `
  select coalesce(turns.finished_at, now()) as at, turns.space_id, turns.conversation_id, turns.agent_id,
         turns.id as turn_id, 'answer' as purpose, turns.model, ${kinds
           .map((kind) => `coalesce((turns.usage ->> '${kind}')::bigint, steps.${kind}, 0) as ${kind}`)
           .join(', ')},
         coalesce(duration_ms, 0) as duration_ms
  from turns
  left join lateral (
    select ${kinds.map((kind) => `sum((turn_steps.usage ->> '${kind}')::bigint)::bigint as ${kind}`).join(', ')}
    from turn_steps
    where turn_id = turns.id and turns.usage is null
  ) as steps on true
  where turns.model <> 'offline' and turns.status <> 'queued'
    and (turns.finished_at is null or turns.finished_at >= $1)
  union all
  select side_calls.created_at, side_calls.space_id, conversation_id, agent_id, turn_id, purpose, side_calls.model, ${kinds.join(', ')},
         duration_ms
  from side_calls
  left join conversations on conversations.id = conversation_id
  where side_calls.created_at >= $1`

const keys: Record<Exclude<UsageGrouping, 'day'>, { key: string; label: string; place: boolean }> = {
  agent: { key: `coalesce(agents.slug, '')`, label: `coalesce(agents.name, '')`, place: false },
  model: { key: 'spent.model', label: 'spent.model', place: false },
  purpose: { key: 'purpose', label: 'purpose', place: false },
  conversation: {
    key: `coalesce(spent.conversation_id::text, '')`,
    label: `coalesce(conversations.title, '')`,
    place: true,
  },
  turn: {
    key: `coalesce(spent.turn_id::text, '')`,
    label: `coalesce((select left(body, 200) from messages where messages.turn_id = spent.turn_id and role = 'user'), '')`,
    place: true,
  },
}

/** What models used: of answers as it stands with their turns, of other calls as they were noted. */
export function createUsageRepo(db: Queryable) {
  return {
    /** By group and model. Days are told apart by their beginnings, and named by their number from 1. */
    async sum(by: UsageGrouping, filter: UsageFilter, dayStarts: readonly Date[] = []): Promise<UsageRow[]> {
      const { key, label, place } =
        by === 'day'
          ? { key: `width_bucket(spent.at, $8::timestamptz[])::text`, label: `''`, place: false }
          : keys[by]
      const values = [
        filter.from,
        filter.until,
        filter.space_id,
        filter.agent,
        filter.model,
        filter.conversation_id,
        filter.turn_id,
        ...(by === 'day' ? [dayStarts] : []),
      ]
      const { rows } = await db.query<UsageRow>(
        `select ${key} as key, ${label} as label, ${place ? 'conversations.id' : 'null::uuid'} as conversation_id,
                ${place ? 'spent.space_id' : 'null::uuid'} as space_id, spent.model, count(*) as count,
                ${kinds.map((kind) => `sum(${kind})::bigint as ${kind}`).join(', ')},
                sum(spent.duration_ms)::bigint as duration_ms
         from (${spent}) as spent
         left join agents on agents.id = spent.agent_id
         left join conversations on conversations.id = spent.conversation_id and conversations.deleted_at is null
         where spent.at < $2
           and ($3::uuid is null or spent.space_id = $3)
           and ($4::text is null or agents.slug = $4)
           and ($5::text is null or spent.model = $5)
           and ($6::uuid is null or spent.conversation_id = $6)
           and ($7::uuid is null or spent.turn_id = $7)
         group by 1, 2, 3, 4, 5`,
        values,
      )
      return rows
    },

    /** All tokens since a time, those of answers that are being written included. */
    async countSince(from: Date): Promise<number> {
      const { rows } = await db.query<{ tokens: number }>(
        `select coalesce(sum(${kinds.join(' + ')}), 0)::bigint as tokens from (${spent}) as spent`,
        [from],
      )
      return rows[0]!.tokens
    },

    async insertSideCall(call: SideCall): Promise<void> {
      await db.query(
        `insert into side_calls
           (id, space_id, conversation_id, turn_id, purpose, model, input_tokens, output_tokens,
            cache_creation_input_tokens, cache_read_input_tokens, duration_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          call.id,
          call.space_id,
          call.conversation_id,
          call.turn_id,
          call.purpose,
          call.model,
          call.input_tokens,
          call.output_tokens,
          call.cache_creation_input_tokens,
          call.cache_read_input_tokens,
          call.duration_ms,
        ],
      )
    },

    /** Notes which turn the call of a router was for. */
    async linkSideCall(id: string, turn: { id: string; conversation_id: string }): Promise<void> {
      await db.query('update side_calls set turn_id = $2, conversation_id = $3 where id = $1', [
        id,
        turn.id,
        turn.conversation_id,
      ])
    },

    /** The owner's own budget; `null` when the configuration's holds. */
    async findBudget(): Promise<number | null> {
      const { rows } = await db.query<{ daily_tokens: number }>('select daily_tokens from budget_settings')
      return rows[0]?.daily_tokens ?? null
    },

    async setBudget(dailyTokens: number | null): Promise<void> {
      if (dailyTokens === null) {
        await db.query('delete from budget_settings')
        return
      }
      await db.query(
        `insert into budget_settings (daily_tokens)
         values ($1)
         on conflict (only_row) do update set daily_tokens = excluded.daily_tokens`,
        [dailyTokens],
      )
    },
  }
}
