import type { Queryable } from '../pool.ts'

export type DrillSettings = { drills: boolean; next_drill_at: string | null }

/** A thing that a drill could be about. */
export type DrillTarget = { space_id: string; id: string; version: number; title: string; body: string }

export type DecidedDrill = { pending_change_id: string; decided_at: string; approved: boolean }

/** Drills: drafts that must never be approved, and whether and when there is to be one. */
export function createDrillsRepo(db: Queryable) {
  return {
    async isDrill(pendingChangeId: string): Promise<boolean> {
      const { rows } = await db.query('select from pending_changes where id = $1 and drill', [
        pendingChangeId,
      ])
      return rows.length > 0
    },

    async settings(): Promise<DrillSettings> {
      const { rows } = await db.query<DrillSettings>('select drills, next_drill_at from attention_settings')
      return rows[0] ?? { drills: false, next_drill_at: null }
    },

    /** Turns drills on, the first one due at a time, or off (`null`). */
    async schedule(nextAt: Date | null): Promise<void> {
      await db.query(
        'update attention_settings set drills = $1::timestamptz is not null, next_drill_at = $1',
        [nextAt],
      )
    },

    /** Takes the drill that is due, for one of however many ask at once. */
    async claimDue(now: Date, nextAt: Date): Promise<boolean> {
      const { rowCount } = await db.query(
        `update attention_settings
         set next_drill_at = $2
         where drills and next_drill_at <= $1
           and not exists (select from pending_changes where drill and status = 'pending')`,
        [now, nextAt],
      )
      return rowCount === 1
    },

    /** Pages with some text that no draft waits for, those changed last first. */
    async listTargets(limit: number): Promise<DrillTarget[]> {
      const { rows } = await db.query<DrillTarget>(
        `select pages.space_id, pages.id, pages.version, pages.title, pages.body
         from pages
         join spaces on spaces.id = pages.space_id and spaces.deleted_at is null
         where pages.deleted_at is null and length(body) between 200 and 20000
           and not exists (
             select from pending_changes where entity_id = pages.id and pending_changes.status = 'pending'
           )
         order by pages.updated_at desc, pages.id
         limit $1`,
        [limit],
      )
      return rows
    },

    /** Those that the owner decided, the latest first. */
    async listTaken(limit: number): Promise<DecidedDrill[]> {
      const { rows } = await db.query<DecidedDrill>(
        `select id as pending_change_id, decided_at, decision ->> 'decision' = 'approve' as approved
         from pending_changes
         where drill and decided_at is not null and decision is not null
         order by decided_at desc
         limit $1`,
        [limit],
      )
      return rows
    },

    async countTaken(): Promise<{ approved: number; rejected: number }> {
      const { rows } = await db.query<{ approved: number; rejected: number }>(
        `select count(*) filter (where decision ->> 'decision' = 'approve') as approved,
                count(*) filter (where status = 'rejected') as rejected
         from pending_changes
         where drill`,
      )
      return rows[0] ?? { approved: 0, rejected: 0 }
    },
  }
}
