// Three texts to one: what only one side changed is taken from it, what both changed differently stands in the text
// between marks, for a person to settle.

import { diffTokens } from '../text-diff.ts'

const mostEdits = 2000

export const mergeMarks = { mine: '<<<<<<< mine', middle: '=======', theirs: '>>>>>>> theirs' } as const

/** Places of a text that are still to be settled. */
export const openConflicts = (text: string): number => text.match(/^<{7} mine$/gm)?.length ?? 0

type Change = { from: number; to: number; lines: string[] }

/** `base`: what both began with; unknown (`null`), whatever differs is a conflict. */
export function mergeTexts(base: string | null, mine: string, theirs: string): string {
  const mineLines = splitLines(mine)
  const theirLines = splitLines(theirs)
  if (base === null) return mergeTwo(mineLines, theirLines)

  const lines = splitLines(base)
  const ours = changesOf(lines, mineLines)
  const others = changesOf(lines, theirLines)
  const merged: string[] = []
  let at = 0

  while (ours.length > 0 || others.length > 0) {
    const group = takeGroup(ours, others)
    merged.push(...lines.slice(at, group.from))
    const left = applyWithin(lines, group.mine, group)
    const right = applyWithin(lines, group.theirs, group)
    if (group.theirs.length === 0) merged.push(...left)
    else if (group.mine.length === 0 || left.join('') === right.join('')) merged.push(...right)
    else merged.push(...marked(left, right))
    at = group.to
  }
  return [...merged, ...lines.slice(at)].join('')
}

/** The next stretch of the base that either side, or both, changed. */
function takeGroup(ours: Change[], others: Change[]) {
  const first = Math.min(ours[0]?.from ?? Infinity, others[0]?.from ?? Infinity)
  const group = { from: first, to: first, mine: [] as Change[], theirs: [] as Change[] }
  for (let grown = true; grown; ) {
    grown = false
    for (const [changes, taken] of [
      [ours, group.mine],
      [others, group.theirs],
    ] as const) {
      const next = changes[0]
      if (!next || next.from > group.to || (next.from === group.to && group.to > first && taken.length > 0))
        continue
      changes.shift()
      taken.push(next)
      group.to = Math.max(group.to, next.to)
      grown = true
    }
  }
  return group
}

function applyWithin(
  lines: string[],
  changes: Change[],
  { from, to }: { from: number; to: number },
): string[] {
  const result: string[] = []
  let at = from
  for (const change of changes) {
    result.push(...lines.slice(at, change.from), ...change.lines)
    at = change.to
  }
  return [...result, ...lines.slice(at, to)]
}

function changesOf(base: string[], side: string[]): Change[] {
  const changes: Change[] = []
  let a = 0
  let b = 0
  for (const { kind, count } of diffTokens(base, side, mostEdits)) {
    if (kind === 'same') {
      a += count
      b += count
      continue
    }
    const last = changes.at(-1)
    const change = last?.to === a ? last : { from: a, to: a, lines: [] }
    if (change !== last) changes.push(change)
    if (kind === 'removed') a += count
    else {
      change.lines.push(...side.slice(b, b + count))
      b += count
    }
    change.to = a
  }
  return changes
}

function mergeTwo(mine: string[], theirs: string[]): string {
  const merged: string[] = []
  let a = 0
  for (const { from, to, lines } of changesOf(mine, theirs)) {
    merged.push(...mine.slice(a, from), ...marked(mine.slice(from, to), lines))
    a = to
  }
  return [...merged, ...mine.slice(a)].join('')
}

const marked = (mine: string[], theirs: string[]) => [
  `${mergeMarks.mine}\n`,
  ...ended(mine),
  `${mergeMarks.middle}\n`,
  ...ended(theirs),
  `${mergeMarks.theirs}\n`,
]

const ended = (lines: string[]) => lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`))

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
