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
     * Drops the log of turns that ended before `before`, but for its first and last row: what was said stands in the
     * messages. How many rows went; at most `limit` turns at a time.
     */
    async prune(before: Date, limit: number): Promise<number> {
      const { rowCount } = await db.query(
        `delete from turn_events
         where type not in ('turn', 'done', 'error')
           and turn_id in (
             select id
             from turns
             where finished_at < $1
               and exists (
                 select from turn_events
                 where turn_id = turns.id and type not in ('turn', 'done', 'error')
               )
             limit $2
           )`,
        [before, limit],
      )
      return rowCount ?? 0
    },
  }
}

/** Rows as three arrays, for `unnest`. */
export function toColumns(rows: readonly EventRow[]): [number[], string[], string[]] {
  return [rows.map(({ seq }) => seq), rows.map(({ type }) => type), rows.map(({ data }) => data)]
}
