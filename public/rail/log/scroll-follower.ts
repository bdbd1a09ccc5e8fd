// Whether the log scrolls with new text: while the reader is at its end, until they scroll away.
// The log is a column in reverse, so its end is scroll position 0 and everything above is negative.

type Metrics = { scrollTop: number; clientHeight: number; scrollHeight: number }

export type ScrollFollower = {
  readonly following: boolean
  /** The reader, or we, scrolled. */
  scrolled(metrics: Metrics): void
  /** A turn begins, with room for it kept at the end: what grows beyond that room does not push its question away. */
  pin(): void
  /** The content grew or shrank at its end. Returns where to scroll so that the reader sees the same as before. */
  resized(metrics: Metrics): number
  /** Older content came before the rest: its end has not moved. */
  prepended(metrics: Metrics): void
  /** Scrolls to the end and follows it. */
  jump(): number
  /** Stops following, wherever the reader is. */
  leave(): void
}

/** Pixels from the end that still count as being there. */
const slack = 32

export function createScrollFollower(): ScrollFollower {
  let following = true
  let height: number | null = null
  let pinned: 'begins' | 'held' | 'passed' | null = null

  return {
    get following() {
      return following
    },
    scrolled({ scrollTop }) {
      following = scrollTop > (pinned === 'passed' ? -1 : -slack)
      if (following && pinned === 'passed') pinned = null
    },
    pin() {
      if (following) pinned = 'begins'
    },
    resized({ scrollTop, scrollHeight }) {
      const grown = height === null ? 0 : scrollHeight - height
      height = scrollHeight
      if (pinned === 'held' && following && grown > 0) {
        following = false
        pinned = 'passed'
      }
      if (pinned === 'begins') pinned = 'held'
      return following ? 0 : scrollTop - grown
    },
    prepended({ scrollHeight }) {
      height = scrollHeight
    },
    jump() {
      following = true
      pinned = null
      return 0
    },
    leave() {
      following = false
    },
  }
}
