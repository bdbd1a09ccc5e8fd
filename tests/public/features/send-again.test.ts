// When notes that wait are sent again.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../public/app/api/api.ts'
import { firstPauseMs, longestPauseMs, sendAgain } from '../../../public/features/capture/send-again.ts'

const unreachable = new ApiError(0, 'unreachable', 'Could not reach the server.')
let document: EventTarget & { visibilityState: string }
let window: EventTarget

/** A clock of the page alone: hours are passed in these tests, and others leave timers behind. */
function createClock() {
  const timers = new Map<number, { at: number; run: () => void }>()
  let [now, count] = [0, 0]
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    window: {
      setTimeout(run: () => void, ms: number) {
        count += 1
        timers.set(count, { at: now + ms, run })
        return count
      },
      clearTimeout: (id: number) => void timers.delete(id),
    },
    async pass(ms: number) {
      const end = now + ms
      for (await settled(); ; await settled()) {
        const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)
        if (!next) break
        timers.delete(next[0])
        now = next[1].at
        next[1].run()
      }
      now = end
    },
  }
}
let clock: ReturnType<typeof createClock>

beforeEach(() => {
  clock = createClock()
  document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  window = Object.assign(new EventTarget(), clock.window)
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', window)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a server that was unreachable is tried again without any event, until it has all', async () => {
  const send = vi.fn().mockResolvedValue(null).mockResolvedValueOnce(unreachable)
  await sendAgain(send)()
  expect(send).toHaveBeenCalledTimes(1)

  await clock.pass(firstPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
  await clock.pass(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
})

test('the pause doubles up to a limit, and begins anew after a success', async () => {
  const send = vi.fn().mockResolvedValue(unreachable)
  await sendAgain(send)()
  await clock.pass(firstPauseMs * 3)
  expect(send).toHaveBeenCalledTimes(3)
  await clock.pass(20 * longestPauseMs)
  const before = send.mock.calls.length
  await clock.pass(longestPauseMs)
  expect(send).toHaveBeenCalledTimes(before + 1)

  send.mockResolvedValueOnce(null)
  window.dispatchEvent(new Event('online'))
  await clock.pass(0)
  window.dispatchEvent(new Event('online'))
  await clock.pass(firstPauseMs)
  expect(send).toHaveBeenCalledTimes(before + 4)
})

test('a connection that is back while a sending fails is not missed', async () => {
  let fail = (_: ApiError) => {}
  const failing = new Promise<ApiError>((resolve) => {
    fail = resolve
  })
  // Both callers get the one sending that runs.
  const send = vi.fn().mockResolvedValue(null).mockReturnValueOnce(failing).mockReturnValueOnce(failing)
  void sendAgain(send)()
  window.dispatchEvent(new Event('online'))
  fail(unreachable)

  await clock.pass(10 * longestPauseMs)

  expect(send).toHaveBeenCalledTimes(3)
})

test('a page that is shown again sends, one that is hidden does not', async () => {
  const send = vi.fn().mockResolvedValue(null)
  sendAgain(send)
  document.visibilityState = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(send).not.toHaveBeenCalled()

  document.visibilityState = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))

  expect(send).toHaveBeenCalledTimes(1)
})

test('who is signed out is not tried again, and nothing is after the end', async () => {
  const send = vi.fn().mockResolvedValue(new ApiError(401, 'signed_out', 'Sign in.'))
  const end = new AbortController()
  const run = sendAgain(send, end.signal)
  await run()
  await clock.pass(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(1)

  send.mockResolvedValue(unreachable)
  await run()
  end.abort()
  window.dispatchEvent(new Event('online'))
  await clock.pass(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
})
