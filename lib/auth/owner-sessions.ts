// Browsers that are signed in. A session ends 30 days after it began, after 7 days without use, when it is signed out, and when the owner token changes.

import type { OwnerSession } from '../contract/auth.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Database } from '../db/pool.ts'
import { createOwnerSessionsRepo } from '../db/repos/owner_sessions.ts'
import { hashSecret } from './owner-token.ts'
import type { Passkeys } from './passkeys.ts'
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

type OwnerSessionsDeps = {
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

// Streams outlive the request that was allowed to open them. Whoever keeps one open for a browser session watches that
// session: a server that ends one tells the others to look, and each looks by itself once a minute.

export type SessionWatch = {
  /** Calls `onEnd`, which must not throw, once when the session has ended. The function returned ends the watch. */
  add(sessionId: string, onEnd: () => void): () => void
  /** Lets every server look. */
  notify(): void
}

export type SessionWatchOptions = {
  notifications: Notifications
  /** Which of these sessions are live. */
  listLive: (ids: readonly string[]) => Promise<string[]>
  checkMs?: number
}

const channel = 'void_sessions'

export function createSessionWatch(options: SessionWatchOptions): SessionWatch {
  const { notifications, listLive, checkMs = 60_000 } = options
  const watched = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined
  let listening = false

  return {
    add(sessionId, onEnd) {
      const calls = watched.get(sessionId) ?? new Set()
      watched.set(sessionId, calls.add(onEnd))
      timer ??= setInterval(check, checkMs).unref()
      if (!listening) notifications.listen(channel, check, check)
      listening = true
      return () => {
        calls.delete(onEnd)
        if (calls.size === 0) forget(sessionId)
      }
    },

    notify: () => notifications.notify(channel, ''),
  }

  async function check(): Promise<void> {
    const ids = [...watched.keys()]
    // What cannot be known now is found out at the next look.
    const live = ids.length > 0 ? await listLive(ids).catch(() => ids) : ids
    for (const id of ids.filter((one) => !live.includes(one))) {
      const calls = [...(watched.get(id) ?? [])]
      forget(id)
      for (const onEnd of calls) onEnd()
    }
  }

  function forget(sessionId: string): void {
    watched.delete(sessionId)
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
