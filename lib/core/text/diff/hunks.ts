import { splitLines } from '../clean.ts'
import { align, type Change } from './align.ts'

/** A range of lines that differs. `start` counts lines from 0; a line includes its line break. */
export type Hunk = {
  /** Its number among the hunks of the two texts, from 0: decisions name it by this. */
  index: number
  before: { start: number; lines: string[] }
  after: { start: number; lines: string[] }
}

/** Whatever differs from there on is one hunk: a person reads no more of them, and each takes memory. */
const maxHunks = 20_000

/**
 * The line diff of two texts, in order. Deterministic. There is at least one common line between two hunks.
 */
export function computeHunks(before: string, after: string): Hunk[] {
  const old = splitLines(before)
  const fresh = splitLines(after)
  return joinRest(align(old, fresh)).map((change, index) => ({
    index,
    before: { start: change.before.start, lines: old.slice(change.before.start, change.before.end) },
    after: { start: change.after.start, lines: fresh.slice(change.after.start, change.after.end) },
  }))
}

/**
 * `before` with the chosen hunks of `computeHunks(before, after)` applied, byte for byte: all of them give `after`,
 * none give `before`. Numbers that name no hunk are ignored.
 */
export function applyHunks(before: string, after: string, chosen: ReadonlySet<number>): string {
  const lines = splitLines(before)
  const pieces: string[] = []
  let position = 0
  for (const hunk of computeHunks(before, after)) {
    const end = hunk.before.start + hunk.before.lines.length
    for (; position < hunk.before.start; position++) pieces.push(lines[position]!)
    for (const line of chosen.has(hunk.index) ? hunk.after.lines : hunk.before.lines) pieces.push(line)
    position = end
  }
  for (; position < lines.length; position++) pieces.push(lines[position]!)
  return pieces.join('')
}

function joinRest(changes: Change[]): Change[] {
  if (changes.length <= maxHunks) return changes
  const [first, last] = [changes[maxHunks - 1]!, changes.at(-1)!]
  const rest = {
    before: { start: first.before.start, end: last.before.end },
    after: { start: first.after.start, end: last.after.end },
  }
  return [...changes.slice(0, maxHunks - 1), rest]
}

/** The lines that are removed and added, each behind its sign; at most one character more than `max`. */
export function lineDiff({ before, after, max }: { before: string; after: string; max: number }): string {
  const signed = (sign: string, lines: string[]) => lines.map((line) => `${sign}${line.replace(/\n$/, '')}`)
  const lines = computeHunks(before, after).flatMap((hunk) => [
    ...signed('-', hunk.before.lines),
    ...signed('+', hunk.after.lines),
  ])
  return lines.join('\n').slice(0, max + 1)
}
