import type { OwnerSession } from '../../contract/owner-session.ts'
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
