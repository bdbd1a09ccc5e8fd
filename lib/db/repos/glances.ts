import type { Glance, GlanceMode, GlanceMute, GlanceVerdict } from '../../contract/companion/glance.ts'
import type { Queryable } from '../pool.ts'

export type GlanceRow = Glance & { view_key: string }

/** Of a day, by its number from 1. */
type DaySum = {
  day: number
  nudges: number
  evaluations: number
  avoided: number
  tokens: number
  cost: number | null
}

/** What gates of time and number go by. */
export type GlanceFacts = {
  has_mail: boolean
  has_tasks: boolean
  turn_running: boolean
  nudges_today: number
  evaluations_today: number
  last_nudge_at: string | null
  /** The latest nudges that were shown in this mode, the latest first. */
  verdicts: (GlanceVerdict | null)[]
}

const columns = `id, space_id, source, mode, view_key, title, stage, reason, nudge, evaluated, kind, sender, thread_id,
  message, action_prompt, evidence, tools, tokens, cost, duration_ms, verdict, judged_at, created_at, note`

const valuesOf = (row: GlanceRow) => [
  ...[row.id, row.space_id, row.source, row.mode, row.view_key, row.title, row.stage, row.reason, row.nudge],
  ...[row.evaluated, row.kind, row.sender, row.thread_id, row.message, row.action_prompt],
  ...[JSON.stringify(row.evidence), row.tools, row.tokens, row.cost, row.duration_ms, row.verdict],
  ...[row.judged_at, row.created_at, row.note],
]

const places = Array.from({ length: 24 }, (_, at) => `$${at + 1}`).join(', ')

export function createGlancesRepo(db: Queryable) {
  return {
    /** In one statement. `midnight`: since when a day counts; `since`: since when the mode holds. */
    async loadFacts(
      spaceId: string,
      { mode, midnight, since, unused }: { mode: string; midnight: Date; since: string; unused: number },
    ): Promise<GlanceFacts> {
      const { rows } = await db.query<GlanceFacts>(
        `select
           exists (select from mail_threads where space_id = $1 and messages > 0) as has_mail,
           exists (
             select from tasks where space_id = $1 and deleted_at is null and status in ('open', 'in_progress')
           ) as has_tasks,
           exists (select from turns where space_id = $1 and status = 'running') as turn_running,
           (select count(*) from glances where space_id = $1 and nudge and mode = $2 and created_at >= $3)::integer
             as nudges_today,
           (select count(*) from glances where space_id = $1 and evaluated and created_at >= $3)::integer
             as evaluations_today,
           (select max(created_at) from glances where space_id = $1 and nudge and mode = $2) as last_nudge_at,
           array(
             select verdict from glances
             where space_id = $1 and nudge and mode = $2 and created_at >= $4
             order by created_at desc
             limit $5
           ) as verdicts`,
        [spaceId, mode, midnight, since, unused],
      )
      return rows[0]!
    },

    /** Whether a model looked at exactly this since then. */
    async wasSeen(spaceId: string, viewKey: string, since: Date): Promise<boolean> {
      const { rows } = await db.query(
        `select from glances where space_id = $1 and evaluated and view_key = $2 and created_at >= $3 limit 1`,
        [spaceId, viewKey, since],
      )
      return rows.length > 0
    },

    /** One that is over. */
    async insert(row: GlanceRow): Promise<void> {
      await db.query(`insert into glances (${columns}, finished_at) values (${places}, $23)`, valuesOf(row))
    },

    /** One that a model is at work on; false while another one of the Space is. */
    async begin(row: GlanceRow): Promise<boolean> {
      const { rows } = await db.query(
        `insert into glances (${columns}) values (${places})
         on conflict (space_id) where finished_at is null do nothing
         returning 1`,
        valuesOf(row),
      )
      return rows.length > 0
    },

    /** Ends what a server left that died. */
    async endAbandoned(spaceId: string, before: Date): Promise<void> {
      await db.query(
        `update glances
         set finished_at = created_at, reason = 'interrupted'
         where space_id = $1 and finished_at is null and created_at < $2`,
        [spaceId, before],
      )
    },

    /** False when it was ended by others meanwhile. */
    async finish(row: GlanceRow, at: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update glances
         set stage = $2, reason = $3, nudge = $4, kind = $5, sender = $6, thread_id = $7, message = $8,
             action_prompt = $9, evidence = $10, tools = $11, tokens = $12, cost = $13, duration_ms = $14,
             finished_at = $15, note = $16
         where id = $1 and finished_at is null
         returning 1`,
        [
          ...[row.id, row.stage, row.reason, row.nudge, row.kind, row.sender, row.thread_id, row.message],
          ...[row.action_prompt, JSON.stringify(row.evidence), row.tools, row.tokens, row.cost],
          ...[row.duration_ms, at, row.note],
        ],
      )
      return rows.length > 0
    },

    /** The latest first. `nudges`: those that spoke, or would have; `open`: shown since then, and not settled. */
    async list(
      spaceId: string,
      filter: { nudges: boolean; open_since: Date | null; before_id: string | null; limit: number },
    ): Promise<GlanceRow[]> {
      const { rows } = await db.query<GlanceRow>(
        `select ${columns}
         from glances
         where space_id = $1 and finished_at is not null
           and (not $2::boolean or nudge)
           and ($3::timestamptz is null or (nudge and mode = 'live' and verdict is null and created_at >= $3))
           and ($4::uuid is null or id < $4)
         order by id desc
         limit $5`,
        [spaceId, filter.nudges, filter.open_since, filter.before_id, filter.limit],
      )
      return rows
    },

    async findNudge(spaceId: string, id: string): Promise<GlanceRow | null> {
      const { rows } = await db.query<GlanceRow>(
        `select ${columns} from glances where space_id = $1 and id = $2 and nudge`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    async judge(id: string, verdict: GlanceVerdict, at: Date): Promise<GlanceRow | null> {
      const { rows } = await db.query<GlanceRow>(
        `update glances g
         set verdict = $2, judged_at = $3
         where id = $1 and nudge
           and exists (select from spaces where spaces.id = g.space_id and spaces.deleted_at is null)
         returning ${columns}`,
        [id, verdict, at],
      )
      return rows[0] ?? null
    },

    async score(spaceId: string): Promise<{ judged: number; noise: number; looks: number; nudges: number }> {
      const { rows } = await db.query<{ judged: number; noise: number; looks: number; nudges: number }>(
        `select count(*) filter (where nudge and verdict in ('useful', 'noise'))::integer as judged,
                count(*) filter (where nudge and verdict = 'noise')::integer as noise,
                count(*) filter (where nudge)::integer as nudges, count(*)::integer as looks
         from glances
         where space_id = $1 and finished_at is not null`,
        [spaceId],
      )
      return rows[0]!
    },

    /** Of each day, given by its beginnings, by its number from 1. */
    async sumDays(spaceId: string, dayStarts: readonly Date[]): Promise<DaySum[]> {
      const { rows } = await db.query<DaySum>(
        `select width_bucket(created_at, $2::timestamptz[]) as day,
                count(*) filter (where nudge)::integer as nudges,
                count(*) filter (where evaluated)::integer as evaluations,
                count(*) filter (where not evaluated)::integer as avoided,
                sum(tokens)::integer as tokens, sum(cost) as cost
         from glances
         where space_id = $1 and created_at >= $3
         group by 1`,
        [spaceId, dayStarts, dayStarts[0]],
      )
      return rows
    },

    /** Removes what is older, and of each Space all but the latest. How many went. */
    async prune(before: Date, perSpace: number): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `with gone as (
           delete from glances
           where id in (
             select id from (
               select id, created_at, row_number() over (partition by space_id order by id desc) as place from glances
             ) as placed
             where created_at < $1 or place > $2
           )
           returning 1
         )
         select count(*)::integer as count from gone`,
        [before, perSpace],
      )
      return rows[0]!.count
    },
  }
}

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

const settingColumns = `space_id, mode, snoozed_until, nudges_per_day, evaluations_per_day, turned_off_at, mode_since,
  mail_seen_at`

/** What the owner set of a Space’s glance. Without a row nothing was ever chosen. */
export function createGlanceSettingsRepo(db: Queryable) {
  return {
    async find(spaceId: string): Promise<GlanceSettingsRow | null> {
      const { rows } = await db.query<GlanceSettingsRow>(
        `select ${settingColumns} from glance_settings where space_id = $1`,
        [spaceId],
      )
      return rows[0] ?? null
    },

    async save(row: GlanceSettingsRow): Promise<void> {
      await db.query(
        `insert into glance_settings (${settingColumns})
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
