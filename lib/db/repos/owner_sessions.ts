import type { Queryable } from '../pool.ts'

export type OwnerSessionsRepo = ReturnType<typeof createOwnerSessionsRepo>

/** Browser sessions, by the hash of their cookie. */
export function createOwnerSessionsRepo(db: Queryable) {
  return {
    /** Whether the session is alive and was opened with the present owner token. */
    async isLive(tokenHash: string, ownerTokenHash: string, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `select from owner_sessions
         where token_hash = $1 and owner_token_hash = $2 and expires_at > $3`,
        [tokenHash, ownerTokenHash, now],
      )
      return rows.length > 0
    },

    /** Stores a session and clears away the expired ones. */
    async insert(session: {
      token_hash: string
      owner_token_hash: string
      expires_at: Date
      now: Date
    }): Promise<void> {
      await db.query(
        `with expired as (delete from owner_sessions where expires_at <= $4)
         insert into owner_sessions (token_hash, owner_token_hash, expires_at)
         values ($1, $2, $3)`,
        [session.token_hash, session.owner_token_hash, session.expires_at, session.now],
      )
    },

    async remove(tokenHash: string): Promise<void> {
      await db.query('delete from owner_sessions where token_hash = $1', [tokenHash])
    },
  }
}
