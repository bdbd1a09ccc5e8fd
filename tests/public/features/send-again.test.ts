// When notes that wait are sent again.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../public/app/api/api.ts'
import { firstPauseMs, longestPauseMs, sendAgain } from '../../../public/features/capture/send-again.ts'

const unreachable = new ApiError(0, 'unreachable', 'Could not reach the server.')
let document: EventTarget & { visibilityState: string }
let window: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  window = Object.assign(new EventTarget(), { setTimeout })
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', window)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a server that was unreachable is tried again without any event, until it has all', async () => {
  const send = vi.fn().mockResolvedValue(null).mockResolvedValueOnce(unreachable)
  await sendAgain(send)()
  expect(send).toHaveBeenCalledTimes(1)

  await vi.advanceTimersByTimeAsync(firstPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
})

test('the pause doubles up to a limit, and begins anew after a success', async () => {
  const send = vi.fn().mockResolvedValue(unreachable)
  await sendAgain(send)()
  await vi.advanceTimersByTimeAsync(firstPauseMs * 3)
  expect(send).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(20 * longestPauseMs)
  const before = send.mock.calls.length
  await vi.advanceTimersByTimeAsync(longestPauseMs)
  expect(send).toHaveBeenCalledTimes(before + 1)

  send.mockResolvedValueOnce(null)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(firstPauseMs)
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

  await vi.advanceTimersByTimeAsync(10 * longestPauseMs)

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
  await vi.advanceTimersByTimeAsync(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(1)

  send.mockResolvedValue(unreachable)
  await run()
  end.abort()
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(10 * longestPauseMs)
  expect(send).toHaveBeenCalledTimes(2)
})
