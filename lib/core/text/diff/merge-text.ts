import { diff3MergeRegions } from 'node-diff3'
import { splitLines } from '../clean.ts'
import { align, type Change, type Range } from './align.ts'

/** Lines that both sides changed differently, and where those of the current side begin in the merged text. */
type TextConflict = { at: number; base: string; current: string; draft: string }

export type MergedText = { text: string; conflicts: TextConflict[] }

type Sides = { base: string; current: string; draft: string }

type Side = 'current' | 'draft'
type Lines = Record<Side | 'base', string[]>
/** Lines of the base that differ on one side or both, and where they are on each side. */
type Region = Record<Side | 'base', Range> & { changedBy: Set<Side> }

/** Of node-diff3, whose time grows with the cube of a region, in one merge. What is beyond is one conflict. */
const maxSteps = 10_000_000

/**
 * Three-way merge by lines, byte for byte. Where both sides changed the same lines in different ways the merged text
 * has those of the current side, and a conflict holds all three. The text has no conflict markers.
 */
export function mergeText(texts: Sides): MergedText {
  const merged: MergedText = { text: '', conflicts: [] }
  for (const sides of splitSides(texts)) {
    const { base, current, draft } = sides
    if (current !== base && draft !== base && current !== draft) {
      merged.conflicts.push({ at: merged.text.length, ...sides })
    }
    merged.text += current === base ? draft : current
  }
  return merged
}

/** The lines that are not the same on all sides, each with all three, in order. */
export const listDifferences = (texts: Sides): Sides[] =>
  [...splitSides(texts)].filter(({ base, current, draft }) => current !== base || draft !== base)

/** All three texts in parts that belong together, with lines in which they agree as parts of their own. */
function* splitSides(texts: Sides): Generator<Sides> {
  const lines: Lines = {
    base: splitLines(texts.base),
    current: splitLines(texts.current),
    draft: splitLines(texts.draft),
  }
  let done = 0
  let stepsLeft = maxSteps
  for (const region of listRegions(align(lines.base, lines.current), align(lines.base, lines.draft))) {
    yield inAll(lines.base.slice(done, region.base.start))
    done = region.base.end
    const sides = slice(lines, region)
    if (region.changedBy.size < 2) {
      yield joinSides(sides)
      continue
    }
    const steps = countSteps(sides)
    const parts = steps > stepsLeft ? [sides] : mergeRegion(sides)
    if (steps <= stepsLeft) stepsLeft -= steps
    for (const part of parts) yield joinSides(part)
  }
  yield inAll(lines.base.slice(done))
}

const joinSides = ({ base, current, draft }: Lines): Sides => ({
  base: base.join(''),
  current: current.join(''),
  draft: draft.join(''),
})

function inAll(lines: readonly string[]): Sides {
  const text = lines.join('')
  return { base: text, current: text, draft: text }
}

/** The parts of a region that both sides changed. */
function mergeRegion({ base, current, draft }: Lines): Lines[] {
  return diff3MergeRegions(current, base, draft).map((region) => {
    if (!region.stable) return { base: region.oContent, current: region.aContent, draft: region.bContent }
    const { bufferContent: own } = region
    // Resolved to the side that differs from the base, which is left out here.
    return region.buffer === 'o'
      ? { base: own, current: own, draft: own }
      : region.buffer === 'a'
        ? { base: [], current: own, draft: [] }
        : { base: [], current: [], draft: own }
  })
}

/** At most so many steps are taken to compare the base of a region with both sides. */
function countSteps({ base, current, draft }: Lines): number {
  const counts = new Map<string, number>()
  for (const line of base) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [current, draft].reduce((sum, side) => {
    const pairs = side.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0)
    return sum + pairs * Math.min(base.length, side.length)
  }, 0)
}

const slice = (lines: Lines, region: Region): Lines => ({
  base: lines.base.slice(region.base.start, region.base.end),
  current: lines.current.slice(region.current.start, region.current.end),
  draft: lines.draft.slice(region.draft.start, region.draft.end),
})

/** Changes of the two sides that overlap or touch are one region. */
function listRegions(current: readonly Change[], draft: readonly Change[]): Region[] {
  const tagged = (side: Side) => (change: Change) => ({ side, ...change })
  const changes = [...current.map(tagged('current')), ...draft.map(tagged('draft'))]
  changes.sort((a, b) => a.before.start - b.before.start)

  const regions: Region[] = []
  // How many lines each side has gained so far.
  const gained = { current: 0, draft: 0 }
  for (const { side, before, after } of changes) {
    let region = regions.at(-1)
    if (!region || before.start > region.base.end) {
      region = {
        base: { ...before },
        current: shift(before, gained.current),
        draft: shift(before, gained.draft),
        changedBy: new Set(),
      }
      regions.push(region)
    }
    region.changedBy.add(side)
    gained[side] += after.end - after.start - (before.end - before.start)
    const end = Math.max(region.base.end, before.end)
    region.base.end = end
    region.current.end = end + gained.current
    region.draft.end = end + gained.draft
  }
  return regions
}

const shift = ({ start, end }: Range, by: number): Range => ({ start: start + by, end: end + by })
