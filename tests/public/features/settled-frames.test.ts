import { expect, test } from 'vitest'
import { createSettledFrames } from '../../../public/features/glance/settled-frames.ts'

const settleMs = 30_000
const size = 64 * 36
const blank = (value = 0) => new Uint8Array(size).fill(value)
/** A picture in which this many cells are white. */
const withCells = (count: number) => blank().fill(255, 0, count)

test('a picture counts once, when it has been still for long enough', () => {
  const frames = createSettledFrames(settleMs)

  expect(frames.accept(blank(), 0)).toBe(false)
  expect(frames.accept(blank(), settleMs - 1)).toBe(false)
  expect(frames.accept(blank(), settleMs)).toBe(true)
  expect(frames.accept(blank(), settleMs + 2000)).toBe(false)
  expect(frames.accept(blank(), settleMs * 10)).toBe(false)
})

test('one that keeps changing never counts', () => {
  const frames = createSettledFrames(settleMs)
  const results = Array.from({ length: 100 }, (_, n) => frames.accept(blank((n % 2) * 255), n * 2000))

  expect(results).not.toContain(true)
})

test('a change counts again after as long a time', () => {
  const frames = createSettledFrames(settleMs)
  frames.accept(blank(), 0)
  frames.accept(blank(), settleMs)

  expect(frames.accept(withCells(200), 40_000)).toBe(false)
  expect(frames.accept(withCells(200), 69_999)).toBe(false)
  expect(frames.accept(withCells(200), 70_000)).toBe(true)
})

test('a cursor, a clock and noise are no change; what changes little by little is one', () => {
  const frames = createSettledFrames(settleMs)
  frames.accept(blank(), 0)
  frames.accept(blank(), settleMs)

  expect(frames.accept(withCells(20), 100_000)).toBe(false)
  expect(frames.accept(blank(20), 140_000)).toBe(false)
  for (let n = 1; n <= 5; n++) frames.accept(withCells(n * 20), 140_000 + n * 2000)
  expect(frames.accept(withCells(100), 190_000)).toBe(true)
})

test('what was not looked at counts again', () => {
  const frames = createSettledFrames(settleMs)
  frames.accept(blank(), 0)
  frames.accept(blank(), settleMs)
  frames.retry(settleMs)

  expect(frames.accept(blank(), settleMs + 2000)).toBe(false)
  expect(frames.accept(blank(), settleMs * 2)).toBe(true)
})
