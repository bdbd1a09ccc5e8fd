import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurnSignals } from '../../../lib/companion/stream/turn-stream.ts'
import { createLocalNotifications } from '../../../lib/db/notifications.ts'

/** Those of the signals alone: what another file of this process left behind may set one, too. */
const own = new Set<unknown>()

beforeEach(() => {
  vi.useFakeTimers()
  own.clear()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...values: unknown[]) => void,
    ms?: number,
    ...values: unknown[]
  ) => {
    const isOwn = new Error().stack?.includes('turn-stream.ts:') ?? false
    const timer = set(() => {
      own.delete(timer)
      run(...values)
    }, ms)
    if (isOwn) own.add(timer)
    return timer
  }) as typeof setTimeout)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    own.delete(timer)
    clear(timer)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
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

  expect(own.size).toBe(1)
  await vi.advanceTimersByTimeAsync(100)
  await Promise.all([...first, ...second])

  expect(woken).toBe(1000)
  expect(own.size).toBe(0)
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
  expect(own.size).toBe(0)
})
