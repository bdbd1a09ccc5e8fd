import type { OwnerSession, Passkey } from '../../contract/auth.ts'
import type { Queryable } from '../pool.ts'

type SessionRow = Omit<OwnerSession, 'current'>

/** What makes a session live: the owner token that it was opened with, and when it was last used at the earliest. */
type Live = { owner_token_hash: string; now: Date; used_since: Date }

const live = 'owner_token_hash = $1 and expires_at > $2 and last_used_at > $3'

const parametersOf = ({ owner_token_hash, now, used_since }: Live) => [owner_token_hash, now, used_since]

const columns = 'id, device, created_at, last_used_at, expires_at'

/** Browser sessions by the hash of their cookie, and codes that open one, by theirs. */
export function createOwnerSessionsRepo(db: Queryable) {
  return {
    async findLive(tokenHash: string, when: Live): Promise<SessionRow | null> {
      const { rows } = await db.query<SessionRow>(
        `select ${columns} from owner_sessions where ${live} and token_hash = $4`,
        [...parametersOf(when), tokenHash],
      )
      return rows[0] ?? null
    },

    /** Last used first. */
    async listLive(when: Live): Promise<SessionRow[]> {
      const { rows } = await db.query<SessionRow>(
        `select ${columns} from owner_sessions where ${live} order by last_used_at desc, id limit 200`,
        parametersOf(when),
      )
      return rows
    },

    async listLiveIds(ids: readonly string[], when: Live): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `select id from owner_sessions where ${live} and id = any ($4::uuid[])`,
        [...parametersOf(when), ids],
      )
      return rows.map(({ id }) => id)
    },

    /** Stores a session and clears away the expired ones. */
    async insert(session: {
      token_hash: string
      owner_token_hash: string
      device: string
      expires_at: Date
      now: Date
    }): Promise<void> {
      await db.query(
        `with expired as (delete from owner_sessions where expires_at <= $5)
         insert into owner_sessions
           (token_hash, owner_token_hash, device, expires_at, created_at, last_used_at, confirmed_at)
         values ($1, $2, $3, $4, $5, $5, $5)`,
        [session.token_hash, session.owner_token_hash, session.device, session.expires_at, session.now],
      )
    },

    async touch(id: string, now: Date): Promise<void> {
      await db.query('update owner_sessions set last_used_at = $2 where id = $1', [id, now])
    },

    async isConfirmed(id: string, since: Date): Promise<boolean> {
      const { rows } = await db.query('select id from owner_sessions where id = $1 and confirmed_at > $2', [
        id,
        since,
      ])
      return rows.length > 0
    },

    async confirm(id: string, now: Date): Promise<void> {
      await db.query('update owner_sessions set confirmed_at = $2 where id = $1', [id, now])
    },

    async remove(tokenHash: string): Promise<void> {
      await db.query('delete from owner_sessions where token_hash = $1', [tokenHash])
    },

    /** Whether there was one. */
    async removeById(id: string): Promise<boolean> {
      const { rows } = await db.query('delete from owner_sessions where id = $1 returning id', [id])
      return rows.length > 0
    },

    /** Ends every session, and every code and sign-in that could open one. */
    async removeAll(): Promise<void> {
      await db.query(
        `with codes as (delete from sign_in_codes),
           waiting as (delete from passkey_challenges where session_id is null)
         delete from owner_sessions`,
      )
    },

    /** Stores a code and clears away the expired ones. */
    async insertCode(code: {
      code_hash: string
      owner_token_hash: string
      expires_at: Date
      now: Date
    }): Promise<void> {
      await db.query(
        `with expired as (delete from sign_in_codes where expires_at <= $4)
         insert into sign_in_codes (code_hash, owner_token_hash, expires_at)
         values ($1, $2, $3)`,
        [code.code_hash, code.owner_token_hash, code.expires_at, code.now],
      )
    },

    /** Removes a code that is valid; whether there was one. */
    async useCode(codeHash: string, ownerTokenHash: string, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `delete from sign_in_codes
         where code_hash = $1 and owner_token_hash = $2 and expires_at > $3
         returning code_hash`,
        [codeHash, ownerTokenHash, now],
      )
      return rows.length > 0
    },
  }
}

export type PasskeyRow = Passkey & {
  credential_id: string
  public_key: Buffer
  transports: string[]
}

/** What a challenge may be answered for. */
export type ChallengeUse = { purpose: 'sign_in' } | { purpose: 'confirm' | 'add'; session_id: string }

type Challenge = { challenge_hash: string; owner_token_hash: string; use: ChallengeUse; now: Date }

const passkeyColumns = 'id, name, host, created_at, last_used_at, credential_id, public_key, transports'

const sessionOf = (use: ChallengeUse): string | null => ('session_id' in use ? use.session_id : null)

/** Passkeys, and the challenges that wait for an answer of one. */
export function createPasskeysRepo(db: Queryable) {
  return {
    /** Oldest first. */
    async list(): Promise<PasskeyRow[]> {
      const { rows } = await db.query<PasskeyRow>(
        `select ${passkeyColumns} from passkeys order by created_at, id limit 200`,
        [],
      )
      return rows
    },

    /** The row; `null` when there are `max` already. */
    async insert(
      passkey: Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'> & { counter: number; now: Date },
      max: number,
    ): Promise<PasskeyRow | null> {
      const { name, host, credential_id, public_key, transports, counter, now } = passkey
      const { rows } = await db.query<PasskeyRow>(
        `insert into passkeys (name, host, credential_id, public_key, transports, counter, created_at)
         select $1, $2, $3, $4::bytea, $5::text[], $6::bigint, $7::timestamptz
         where (select count(*) from passkeys) < $8
         returning ${passkeyColumns}`,
        [name, host, credential_id, public_key, transports, counter, now, max],
      )
      return rows[0] ?? null
    },

    /** Notes a use; whether its counter went up, or is kept at 0 by a device that does not count. */
    async noteUse(id: string, counter: number, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update passkeys
         set counter = $2, last_used_at = $3
         where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
         returning id`,
        [id, counter, now],
      )
      return rows.length > 0
    },

    /** Whether there was one. */
    async remove(id: string): Promise<boolean> {
      const { rows } = await db.query('delete from passkeys where id = $1 returning id', [id])
      return rows.length > 0
    },

    /** How many there were. */
    async removeAll(): Promise<number> {
      const { rows } = await db.query('delete from passkeys returning id', [])
      return rows.length
    },

    /** Stores a challenge, and clears away the expired ones and all but the newest `max`. */
    async insertChallenge(challenge: Challenge & { expires_at: Date }, max: number): Promise<void> {
      const { challenge_hash, owner_token_hash, use, expires_at, now } = challenge
      await db.query(
        `with dropped as (
           delete from passkey_challenges
           where expires_at <= $6 or challenge_hash in (
             select challenge_hash from passkey_challenges order by expires_at desc offset $7
           )
         )
         insert into passkey_challenges (challenge_hash, owner_token_hash, purpose, session_id, expires_at)
         values ($1, $2, $3, $4, $5)`,
        [challenge_hash, owner_token_hash, use.purpose, sessionOf(use), expires_at, now, max - 1],
      )
    },

    /** Removes a challenge that is valid for this use; whether there was one. */
    async takeChallenge({ challenge_hash, owner_token_hash, use, now }: Challenge): Promise<boolean> {
      const { rows } = await db.query(
        `delete from passkey_challenges
         where challenge_hash = $1 and owner_token_hash = $2 and purpose = $3
           and session_id is not distinct from $4 and expires_at > $5
         returning challenge_hash`,
        [challenge_hash, owner_token_hash, use.purpose, sessionOf(use), now],
      )
      return rows.length > 0
    },
  }
}

export type OwnerZoneRow = { time_zone: string; set_by: 'browser' | 'owner' }

export function createOwnerZoneRepo(db: Queryable) {
  return {
    async find(): Promise<OwnerZoneRow | null> {
      const { rows } = await db.query<OwnerZoneRow>('select time_zone, set_by from owner_time_zone')
      return rows[0] ?? null
    },

    /** What a browser reports replaces nothing. */
    async save({ time_zone, set_by }: OwnerZoneRow): Promise<void> {
      await db.query(
        `insert into owner_time_zone (time_zone, set_by)
         values ($1, $2)
         on conflict (only_row) do update set time_zone = excluded.time_zone, set_by = excluded.set_by
         where excluded.set_by = 'owner'`,
        [time_zone, set_by],
      )
    },
  }
}
