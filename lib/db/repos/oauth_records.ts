import type { Queryable } from '../pool.ts'

export type OAuthRecord = {
  kind: string
  id: string
  payload: Record<string, unknown>
  grant_id: string | null
  /** Null: none. */
  expires_at: Date | null
}

/** Records of one kind and grant, or of one kind without any grant. The oldest go first. */
const maxOfAKind = 200
/** How long a used token is remembered, so that its reuse is noticed. */
const usedFor = "interval '7 days'"

/** Whether a connection still works; `now` names the parameter that holds the time. */
const isLive = (now: string) =>
  `token.revoked_at is null and (token.expires_at is null or token.expires_at > ${now})`

const hasConnection = `exists (select from agent_tokens token where token.client_id = record.id and ${isLive('$1')})`

export function createOAuthRecordsRepo(db: Queryable) {
  return {
    /** Stores a record, in place of the one with that id. Clears away the oldest of its kind where there are too many. */
    async upsert({ kind, id, payload, grant_id, expires_at }: OAuthRecord, now: Date): Promise<void> {
      await db.query(
        `with surplus as (
           select kind, id
           from oauth_records record
           where kind = $2 and grant_id is not distinct from $5 and id <> $3
           order by kind = 'Client' and ${hasConnection} desc, created_at desc, id
           offset ${maxOfAKind - 1}
         ), removed as (
           delete from oauth_records
           where (kind, id) in (
             -- Another that stores one of these now removes them, too.
             select kind, id from oauth_records where (kind, id) in (select kind, id from surplus) for update skip locked
           )
         )
         insert into oauth_records (kind, id, payload, grant_id, created_at, expires_at)
         values ($2, $3, $4, $5, $1, $6)
         on conflict (kind, id) do update
         set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
        [now, kind, id, JSON.stringify(payload), grant_id, expires_at],
      )
    },

    /** Stores a record unless it is there; what is stored then. */
    async insertOnce(record: Pick<OAuthRecord, 'kind' | 'id' | 'payload'>, now: Date): Promise<unknown> {
      const { rows } = await db.query<{ payload: unknown }>(
        `insert into oauth_records (kind, id, payload, created_at)
         values ($1, $2, $3, $4)
         on conflict (kind, id) do update
         set payload = oauth_records.payload
         returning payload`,
        [record.kind, record.id, JSON.stringify(record.payload), now],
      )
      return rows[0]?.payload
    },

    /** One that has not expired, and whose connection, if it has one, still works. */
    async find(kind: string, id: string, now: Date): Promise<Record<string, unknown> | null> {
      const { rows } = await db.query<{ payload: Record<string, unknown> }>(
        `select payload
         from oauth_records record
         where kind = $1
           and id = $2
           and (expires_at is null or expires_at > $3)
           and (
             grant_id is null
             or exists (select from agent_tokens token where token.grant_id = record.grant_id and ${isLive('$3')})
           )`,
        [kind, id, now],
      )
      return rows[0]?.payload ?? null
    },

    /** Marks a code or token as used; false when it is gone or was used before. */
    async consume(kind: string, id: string, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update oauth_records
         set payload = payload || jsonb_build_object('consumed', extract(epoch from $3::timestamptz)::bigint),
             expires_at = least(expires_at, $3::timestamptz + ${usedFor})
         where kind = $1 and id = $2 and not payload ? 'consumed'
         returning id`,
        [kind, id, now],
      )
      return rows.length > 0
    },

    async remove(kind: string, id: string): Promise<void> {
      await db.query('delete from oauth_records where kind = $1 and id = $2', [kind, id])
    },

    /** Ends a grant: what was issued under it goes, and the connection is revoked. */
    async revokeGrant(grantId: string, now: Date): Promise<void> {
      await db.query(
        `with records as (
           delete from oauth_records where grant_id = $1 or (kind = 'Grant' and id = $1)
         )
         update agent_tokens set revoked_at = coalesce(revoked_at, $2) where grant_id = $1`,
        [grantId, now],
      )
    },

    /** Removes what has expired, and clients of a day ago that were never connected or no longer are. */
    async prune(now: Date): Promise<number> {
      const { rows } = await db.query(
        `delete from oauth_records record
         where expires_at <= $1
           or (kind = 'Client' and created_at < $1::timestamptz - interval '1 day' and not ${hasConnection})
         returning id`,
        [now],
      )
      return rows.length
    },
  }
}
