import { describe, expect, test } from 'vitest'
import { createScrollFollower } from '../../../public/rail/log/scroll-follower.ts'

const at = (scrollTop: number, scrollHeight: number) => ({ scrollTop, scrollHeight, clientHeight: 600 })

describe('the log of the rail', () => {
  test('stays at its end while the answer grows', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))

    expect([follower.following, follower.resized(at(0, 1200))]).toEqual([true, 0])
  })

  test('shows the same lines to a reader who has scrolled up', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))
    follower.scrolled(at(-200, 1000))

    expect(follower.following).toBe(false)
    expect(follower.resized(at(-200, 1050))).toBe(-250)
    expect(follower.resized(at(-250, 1050))).toBe(-250)
  })

  test('follows again when the reader comes back to the end, or asks to', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))
    follower.scrolled(at(-200, 1000))
    follower.scrolled(at(-10, 1000))
    expect(follower.following).toBe(true)

    follower.scrolled(at(-400, 1000))
    expect([follower.jump(), follower.following]).toEqual([0, true])
  })

  test('keeps a question at the top once its answer is longer than the room for it', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))
    follower.pin()

    expect([follower.resized(at(0, 1600)), follower.following]).toEqual([0, true])
    expect([follower.resized(at(0, 1600)), follower.following]).toEqual([0, true])
    expect([follower.resized(at(0, 1620)), follower.following]).toEqual([-20, false])
    follower.scrolled(at(-20, 1620))
    expect([follower.resized(at(-20, 1700)), follower.following]).toEqual([-100, false])
    follower.scrolled(at(0, 1700))
    expect([follower.resized(at(0, 1800)), follower.following]).toEqual([0, true])
  })

  test('does not pin what a reader who has scrolled up does not see', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))
    follower.scrolled(at(-200, 1000))
    follower.pin()

    expect(follower.resized(at(-200, 1600))).toBe(-800)
  })

  test('does not move for older messages that come in above', () => {
    const follower = createScrollFollower()
    follower.resized(at(0, 1000))
    follower.scrolled(at(-400, 1000))

    follower.prepended(at(-400, 3000))

    expect(follower.resized(at(-400, 3000))).toBe(-400)
  })
})
