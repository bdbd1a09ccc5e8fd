import type { Passkey } from '../../contract/passkey.ts'
import type { Queryable } from '../pool.ts'

export type PasskeyRow = Passkey & {
  credential_id: string
  public_key: Buffer
  transports: string[]
}

/** What a challenge may be answered for. */
export type ChallengeUse = { purpose: 'sign_in' } | { purpose: 'confirm' | 'add'; session_id: string }

type Challenge = { challenge_hash: string; owner_token_hash: string; use: ChallengeUse; now: Date }

const columns = 'id, name, host, created_at, last_used_at, credential_id, public_key, transports'

const sessionOf = (use: ChallengeUse): string | null => ('session_id' in use ? use.session_id : null)

/** Passkeys, and the challenges that wait for an answer of one. */
export function createPasskeysRepo(db: Queryable) {
  return {
    /** Oldest first. */
    async list(): Promise<PasskeyRow[]> {
      const { rows } = await db.query<PasskeyRow>(
        `select ${columns} from passkeys order by created_at, id limit 200`,
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
         returning ${columns}`,
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
