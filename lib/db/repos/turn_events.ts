import type { Queryable } from '../pool.ts'

/** One row of a turn's log; `data` is JSON. A row of type `delta` holds an array of texts and covers a range. */
export type EventRow = { seq: number; type: string; data: string }

/** The log of what readers of a turn were told. Written only together with the lease, in turn_steps.ts and turns.ts. */
export function createTurnEventsRepo(db: Queryable) {
  return {
    /** Rows that reach beyond `after`, in order. */
    async list(turnId: string, after: number, limit: number): Promise<EventRow[]> {
      const { rows } = await db.query<EventRow>(
        `select seq, type, data
         from turn_events
         where turn_id = $1 and seq > $2
         order by seq
         limit $3`,
        [turnId, after, limit],
      )
      return rows
    },

    /** All rows up to `until`, in order. */
    async listUntil(turnId: string, until: number): Promise<EventRow[]> {
      const { rows } = await db.query<EventRow>(
        `select seq, type, data
         from turn_events
         where turn_id = $1 and seq <= $2
         order by seq`,
        [turnId, until],
      )
      return rows
    },

    /**
     * Drops the logs, but for their first and last rows, of the next `limit` turns that ended after `after` (`null`: from
     * the first on) and not after `until`: what was said is in the messages. `last` is where to go on from, `null` at the
     * end.
     */
    async prune(
      { after, until }: { after: string | null; until: string },
      limit: number,
    ): Promise<{ removed: number; last: string | null }> {
      const { rows } = await db.query<{ removed: number; last: string | null }>(
        `with ended as materialized (
           select id, finished_at
           from turns
           where finished_at > coalesce($1::timestamptz, '-infinity') and finished_at <= $2::timestamptz
           order by finished_at
           fetch first ($3) rows with ties
         ), removed as (
           delete from turn_events
           using ended
           where turn_id = ended.id and type not in ('turn', 'done', 'error')
           returning 1
         )
         select (select count(*) from removed)::integer as removed,
           (select max(finished_at) from ended)::text as last`,
        [after, until, limit],
      )
      return rows[0]!
    },

    /**
     * When the latest turn ended whose log no longer fits: those of the turns since `since` are counted from the newest
     * on. `null`: all fit.
     */
    async findExcess(since: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ ended: string }>(
        `select finished_at::text as ended
         from (
           select finished_at, sum(bytes) over (order by finished_at desc, id desc) as total
           from (
             select id, finished_at,
               (select coalesce(sum(octet_length(data)), 0) from turn_events where turn_id = turns.id) as bytes
             from turns
             where finished_at > $1
           ) as logs
         ) as summed
         where total > $2
         order by finished_at desc
         limit 1`,
        [since, maxBytes],
      )
      return rows[0]?.ended ?? null
    },
  }
}

/** Rows as three arrays, for `unnest`. */
export function toColumns(rows: readonly EventRow[]): [number[], string[], string[]] {
  return [rows.map(({ seq }) => seq), rows.map(({ type }) => type), rows.map(({ data }) => data)]
}
