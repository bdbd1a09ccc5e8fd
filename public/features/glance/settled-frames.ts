// Which frames of a window are worth a look: one for each change, once the picture has been still for a while.

/** A picture of a window, scaled down: the brightness of each cell, from 0 to 255. */
export type Cells = Uint8Array

/** A cell has changed beyond this; a picture has when this share of its cells has. A cursor or a clock is less. */
const minStep = 24
const minShare = 0.01

export type SettledFrames = {
  /** Whether the picture seen at this time, in milliseconds, has changed since the last that counted, and is still. */
  accept(cells: Cells, at: number): boolean
  /** The last one that counted was not looked at: it counts again, after as long as any other. */
  retry(at: number): void
}

export function createSettledFrames(settleMs: number): SettledFrames {
  let accepted: Cells | null = null
  let still: { cells: Cells; since: number } | null = null

  return {
    accept(cells, at) {
      if (!still || hasChanged(still.cells, cells)) still = { cells, since: at }
      if (at - still.since < settleMs) return false
      if (accepted && !hasChanged(accepted, cells)) return false
      accepted = cells
      return true
    },
    retry(at) {
      accepted = null
      if (still) still.since = at
    },
  }
}

function hasChanged(before: Cells, after: Cells): boolean {
  if (before.length !== after.length) return true
  let changed = 0
  for (const [at, value] of after.entries()) {
    if (Math.abs(value - before[at]!) > minStep) changed += 1
  }
  return changed > after.length * minShare
}
