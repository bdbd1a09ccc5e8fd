import { splitLines } from '../text/split-lines.ts'
import { align } from './diff/align.ts'

/** One stretch of lines that differs. `start` counts lines from 0; a line carries its own line break. */
export type Hunk = {
  /** Its place among the hunks of the two texts, from 0: the number a decision names it by. */
  index: number
  before: { start: number; lines: string[] }
  after: { start: number; lines: string[] }
}

/**
 * What differs between two texts, by lines, in order. The same texts always give the same hunks. Two hunks have at
 * least one line between them that stands in both texts.
 */
export function computeHunks(before: string, after: string): Hunk[] {
  const old = splitLines(before)
  const fresh = splitLines(after)
  return align(old, fresh).map((change, index) => ({
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
