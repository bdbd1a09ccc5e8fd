import { diff3MergeRegions } from 'node-diff3'
import { splitLines } from '../text/split-lines.ts'
import { align, type Change, type Range } from './diff/align.ts'

/** A stretch that both sides changed, and where the current side begins in the merged text. */
export type TextConflict = { at: number; base: string; current: string; draft: string }

export type MergedText = { text: string; conflicts: TextConflict[] }

type Side = 'current' | 'draft'
type Lines = Record<Side | 'base', string[]>
/** A stretch of the base in which one side or both differ from it, and where it is on each. */
type Stretch = Record<Side | 'base', Range> & { changedBy: Set<Side> }

/** Lines of one stretch beyond which node-diff3, whose cost grows with the square, is not asked to look closer. */
const mostCompared = 1500

/**
 * Three-way merge by lines, byte for byte. Where both sides changed the same lines in different ways the merged text
 * keeps the current side, and the conflict tells all three; the text holds no marks.
 */
export function mergeText(texts: { base: string; current: string; draft: string }): MergedText {
  const lines: Lines = {
    base: splitLines(texts.base),
    current: splitLines(texts.current),
    draft: splitLines(texts.draft),
  }
  const merged: MergedText = { text: '', conflicts: [] }
  let done = 0
  for (const stretch of listStretches(align(lines.base, lines.current), align(lines.base, lines.draft))) {
    merged.text += lines.base.slice(done, stretch.base.start).join('')
    done = stretch.base.end
    const sides = cut(lines, stretch)
    const [only, another] = stretch.changedBy
    if (only && !another) merged.text += sides[only].join('')
    else for (const part of lookCloser(sides)) settle(merged, part)
  }
  merged.text += lines.base.slice(done).join('')
  return merged
}

function settle(merged: MergedText, { base, current, draft }: Lines): void {
  const three = { base: base.join(''), current: current.join(''), draft: draft.join('') }
  const { text } = merged
  if (three.current === three.base) merged.text += three.draft
  else merged.text += three.current
  if (three.current !== three.base && three.draft !== three.base && three.current !== three.draft) {
    merged.conflicts.push({ at: text.length, ...three })
  }
}

/** The parts of a stretch that both sides changed. */
function lookCloser(lines: Lines): Lines[] {
  const { base, current, draft } = lines
  if (base.length + current.length + draft.length > mostCompared) return [lines]

  return diff3MergeRegions(current, base, draft).map((region) => {
    if (!region.stable) return { base: region.oContent, current: region.aContent, draft: region.bContent }
    const { bufferContent: own } = region
    // Settled as the side that differs from the base, which is left out here.
    return region.buffer === 'o'
      ? { base: own, current: own, draft: own }
      : region.buffer === 'a'
        ? { base: [], current: own, draft: [] }
        : { base: [], current: [], draft: own }
  })
}

const cut = (lines: Lines, stretch: Stretch): Lines => ({
  base: lines.base.slice(stretch.base.start, stretch.base.end),
  current: lines.current.slice(stretch.current.start, stretch.current.end),
  draft: lines.draft.slice(stretch.draft.start, stretch.draft.end),
})

/** Changes of the two sides that overlap or touch are one stretch. */
function listStretches(current: readonly Change[], draft: readonly Change[]): Stretch[] {
  const tagged = (side: Side) => (change: Change) => ({ side, ...change })
  const changes = [...current.map(tagged('current')), ...draft.map(tagged('draft'))]
  changes.sort((a, b) => a.before.start - b.before.start)

  const stretches: Stretch[] = []
  // By how much each side has grown up to here.
  const grown = { current: 0, draft: 0 }
  for (const { side, before, after } of changes) {
    let stretch = stretches.at(-1)
    if (!stretch || before.start > stretch.base.end) {
      stretch = {
        base: { ...before },
        current: shift(before, grown.current),
        draft: shift(before, grown.draft),
        changedBy: new Set(),
      }
      stretches.push(stretch)
    }
    stretch.changedBy.add(side)
    grown[side] += after.end - after.start - (before.end - before.start)
    const end = Math.max(stretch.base.end, before.end)
    stretch.base.end = end
    stretch.current.end = end + grown.current
    stretch.draft.end = end + grown.draft
  }
  return stretches
}

const shift = ({ start, end }: Range, by: number): Range => ({ start: start + by, end: end + by })
