// Streams outlive the request that was allowed to open them. Whoever keeps one open for a browser session watches that
// session: a server that ends one tells the others to look, and each looks by itself once a minute.

import type { Notifications } from '../db/notifications.ts'

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
