import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurnSignals } from '../../../lib/companion/stream/turn-signals.ts'
import { createLocalNotifications } from '../../../lib/db/notifications.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new AbortController().signal

test('a thousand who wait for one turn share one alarm, and are woken together', async () => {
  const signals = createTurnSignals(createLocalNotifications())
  let woken = 0
  const wait = () => signals.whenChanged('a', 1000, never()).then(() => (woken += 1))
  const first = Array.from({ length: 500 }, wait)
  await vi.advanceTimersByTimeAsync(900)
  const second = Array.from({ length: 500 }, wait)

  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(100)
  await Promise.all([...first, ...second])

  expect(woken).toBe(1000)
  expect(vi.getTimerCount()).toBe(0)
})

test('whoever wants to be woken earlier is, and nobody who waits for another turn', async () => {
  const signals = createTurnSignals(createLocalNotifications())
  const woken: string[] = []
  void signals.whenChanged('a', 1000, never()).then(() => woken.push('a, late'))
  void signals.whenChanged('a', 250, never()).then(() => woken.push('a, early'))
  void signals.whenChanged('b', 1000, never()).then(() => woken.push('b'))

  await vi.advanceTimersByTimeAsync(250)

  expect(woken).toEqual(['a, late', 'a, early'])
})

test('a change wakes all, and whoever leaves takes nobody along', async () => {
  const signals = createTurnSignals(createLocalNotifications())
  const leaving = new AbortController()
  const woken: string[] = []
  const left = signals.whenChanged('a', 1000, leaving.signal).then(() => woken.push('left'))
  const stays = signals.whenChanged('a', 1000, never()).then(() => woken.push('stays'))

  leaving.abort()
  await left
  expect(woken).toEqual(['left'])
  signals.notifyChange('a')
  await vi.advanceTimersByTimeAsync(20)
  await stays

  expect(woken).toEqual(['left', 'stays'])
  expect(vi.getTimerCount()).toBe(0)
})
