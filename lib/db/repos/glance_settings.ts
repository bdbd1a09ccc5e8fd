import type { GlanceMode, GlanceMute } from '../../contract/companion/glance.ts'
import type { Queryable } from '../pool.ts'

export type GlanceSettingsRow = {
  space_id: string
  mode: GlanceMode
  snoozed_until: string | null
  nudges_per_day: number
  evaluations_per_day: number
  turned_off_at: string | null
  mode_since: string
  mail_seen_at: string
}

const columns = `space_id, mode, snoozed_until, nudges_per_day, evaluations_per_day, turned_off_at, mode_since,
  mail_seen_at`

/** What the owner set of a Space’s glance. Without a row nothing was ever chosen. */
export function createGlanceSettingsRepo(db: Queryable) {
  return {
    async find(spaceId: string): Promise<GlanceSettingsRow | null> {
      const { rows } = await db.query<GlanceSettingsRow>(
        `select ${columns} from glance_settings where space_id = $1`,
        [spaceId],
      )
      return rows[0] ?? null
    },

    async save(row: GlanceSettingsRow): Promise<void> {
      await db.query(
        `insert into glance_settings (${columns})
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (space_id) do update
         set mode = excluded.mode, snoozed_until = excluded.snoozed_until, nudges_per_day = excluded.nudges_per_day,
             evaluations_per_day = excluded.evaluations_per_day, turned_off_at = excluded.turned_off_at,
             mode_since = excluded.mode_since, mail_seen_at = excluded.mail_seen_at`,
        [
          ...[row.space_id, row.mode, row.snoozed_until, row.nudges_per_day, row.evaluations_per_day],
          ...[row.turned_off_at, row.mode_since, row.mail_seen_at],
        ],
      )
    },

    /** Turns it off by itself, if it is live now; whether it was. */
    async turnOff(spaceId: string, at: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update glance_settings
         set mode = 'off', mode_since = $2, turned_off_at = $2
         where space_id = $1 and mode = 'live'
         returning 1`,
        [spaceId, at],
      )
      return rows.length > 0
    },

    async setMailSeen(spaceId: string, at: string): Promise<void> {
      await db.query('update glance_settings set mail_seen_at = $2 where space_id = $1', [spaceId, at])
    },

    /** Spaces with mail that was received and stored since it was last looked at. */
    async listWithNewMail(limit: number): Promise<string[]> {
      const { rows } = await db.query<{ space_id: string }>(
        `select s.space_id
         from glance_settings s
         where mode <> 'off' and (snoozed_until is null or snoozed_until <= now())
           and exists (select from spaces where spaces.id = s.space_id and spaces.deleted_at is null)
           and exists (
             select from mail_messages m
             where m.space_id = s.space_id and m.direction = 'received'
               -- Times are read to the millisecond.
               and m.created_at >= s.mail_seen_at + interval '1 millisecond'
           )
         limit $1`,
        [limit],
      )
      return rows.map(({ space_id }) => space_id)
    },

    async listMutes(spaceId: string): Promise<GlanceMute[]> {
      const { rows } = await db.query<GlanceMute>(
        'select type, value from glance_mutes where space_id = $1 order by created_at, type, value',
        [spaceId],
      )
      return rows
    },

    async mute(spaceId: string, { type, value }: GlanceMute, at: Date): Promise<void> {
      await db.query(
        `insert into glance_mutes (space_id, type, value, created_at) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [spaceId, type, value, at],
      )
    },

    async unmute(spaceId: string, { type, value }: GlanceMute): Promise<void> {
      await db.query('delete from glance_mutes where space_id = $1 and type = $2 and value = $3', [
        spaceId,
        type,
        value,
      ])
    },
  }
}
