// When notes that wait are sent again: once the connection is back, once the page is shown again, and after a pause, because
// a server that could not be reached comes back without the browser being told.

import type { Sent } from './waiting-notes.ts'

export const firstPauseMs = 3000
export const longestPauseMs = 60_000

/**
 * Returns what sends now. After a sending that was stopped because the server was unreachable or busy it follows again, each
 * time after twice the pause. `send`: why it was stopped, or `null`.
 */
export function sendAgain(
  send: () => Promise<Sent['stopped']>,
  signal: AbortSignal = new AbortController().signal,
): () => Promise<void> {
  let pauseMs = firstPauseMs
  let timer = 0
  window.addEventListener('online', run, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && run(), {
    signal,
  })
  signal.addEventListener('abort', () => window.clearTimeout(timer))
  return run

  async function run(): Promise<void> {
    const stopped = await send()
    window.clearTimeout(timer)
    if (signal.aborted) return
    // Who is signed out signs in first, on a page of its own.
    if (!stopped || stopped.status === 401 || stopped.status === 403) {
      pauseMs = firstPauseMs
      return
    }
    timer = window.setTimeout(run, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}
