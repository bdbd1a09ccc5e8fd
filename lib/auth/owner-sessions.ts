// Browsers that are signed in. A session ends 30 days after it began, after 7 days without use, when it is signed out, and when the owner token changes.

import type { OwnerSession } from '../contract/owner-session.ts'
import type { Database } from '../db/pool.ts'
import { createOwnerSessionsRepo } from '../db/repos/owner_sessions.ts'
import type { Passkeys } from './passkeys.ts'
import { hashSecret } from './secrets.ts'
import { createSessionWatch } from './session-watch.ts'
import { createSignIn, type SignIn } from './sign-in.ts'

export type OwnerSessions = SignIn & {
  /** The id of a live session by its cookie; `null` for any other. */
  findSession(session: string): Promise<string | null>
  /** Last used first. `currentId` is the one that asks. */
  listSessions(currentId: string | null): Promise<OwnerSession[]>
  closeSession(session: string): Promise<void>
  /** Whether there was one. */
  closeSessionById(id: string): Promise<boolean>
  /** Ends all sessions and codes. */
  closeAllSessions(): Promise<void>
  /**
   * Calls `onEnd`, which must not throw, once when the session has ended, on whatever server. The function returned ends
   * the watch.
   */
  watchSession(id: string, onEnd: () => void): () => void
}

export type OwnerSessionsDeps = {
  database: Database
  passkeys: Passkeys
  ownerToken: string
  now: () => Date
}

const dayMs = 24 * 60 * 60 * 1000
const idleMs = 7 * dayMs
/** A use is stored at most once a minute: a write for every request would cost more than it tells. */
const touchEveryMs = 60_000

export function createOwnerSessions(deps: OwnerSessionsDeps): OwnerSessions {
  const { database, ownerToken, now } = deps
  const owner_token_hash = hashSecret(ownerToken)
  const sessions = createOwnerSessionsRepo(database)
  const after = (ms: number) => new Date(now().getTime() + ms)
  const live = () => ({ owner_token_hash, now: now(), used_since: after(-idleMs) })

  const watch = createSessionWatch({
    notifications: database.notifications,
    listLive: (ids) => sessions.listLiveIds(ids, live()),
  })
  const announced = async <Result>(closing: Promise<Result>): Promise<Result> => {
    const result = await closing
    watch.notify()
    return result
  }

  return {
    async findSession(session) {
      const found = await sessions.findLive(hashSecret(session), live())
      if (!found) return null
      if (new Date(found.last_used_at) < after(-touchEveryMs)) await sessions.touch(found.id, now())
      return found.id
    },

    ...createSignIn({ ...deps, sessions }),

    async listSessions(currentId) {
      const rows = await sessions.listLive(live())
      return rows.map((row) => ({ ...row, current: row.id === currentId }))
    },

    closeSession: (session) => announced(sessions.remove(hashSecret(session))),
    closeSessionById: (id) => announced(sessions.removeById(id)),
    closeAllSessions: () => announced(sessions.removeAll()),
    watchSession: watch.add,
  }
}
