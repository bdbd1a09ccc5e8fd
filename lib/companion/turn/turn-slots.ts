// How many turns run on this server at once. A message beyond that waits in the order it came, in whatever conversation;
// what other servers left unfinished takes only a part of the slots, so that a new message does not wait behind it.

export type TurnSlots = {
  /** Whether a new turn has to wait: all slots are taken, or others wait for one already. */
  isFull(): boolean
  /** Slots free for turns that waited. */
  free(): number
  /** Slots free for turns that another server began. */
  freeForResumed(): number
  /** Notes that turns wait for a slot, or that none does any more. */
  setWaiting(waiting: boolean): void
  isWaiting(): boolean
}

/** One slot of so many may hold a turn that another server began; at least two. */
const resumedShare = 16

export function createTurnSlots(
  maxTurns: number,
  running: () => { all: number; resumed: number },
): TurnSlots {
  const maxResumed = Math.min(maxTurns, Math.max(2, Math.floor(maxTurns / resumedShare)))
  let waiting = false
  const free = () => Math.max(0, maxTurns - running().all)

  return {
    isFull: () => waiting || free() === 0,
    free,
    freeForResumed: () => Math.min(free(), Math.max(0, maxResumed - running().resumed)),
    setWaiting: (now) => {
      waiting = now
    },
    isWaiting: () => waiting,
  }
}
