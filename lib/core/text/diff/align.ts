// The alignment of two lists. jsdiff's Myers finds the shortest edit script but takes time with the square of the number
// of edits, so the lists are first split at items that are unique in both (patience diff), and a range that differs too
// much is paired by occurrence. Deterministic: decisions name hunks by their number.

import { diffArrays } from 'diff'
import { countWhile } from '../count-while.ts'

/** Items `before.start` up to `before.end` became `after.start` up to `after.end`; one of the two may be empty. */
export type Change = { before: Range; after: Range }
export type Range = { start: number; end: number }

type Item = string | number
type Pair = { before: number; after: number }

/** A range with more edits than this is not searched for its shortest edit script: the search takes edits × items steps. */
const maxEdits = 200
const maxSteps = 4_000_000
const maxDepth = 8

/** The changes, in order, with at least one common item between two of them. O(n log n). */
export function align(before: readonly Item[], after: readonly Item[]): Change[] {
  const changes: Change[] = []
  alignWithin({ before, after }, whole(before, after), changes, 0)
  return changes
}

const whole = (before: readonly Item[], after: readonly Item[]): Change => ({
  before: { start: 0, end: before.length },
  after: { start: 0, end: after.length },
})

type Lists = { before: readonly Item[]; after: readonly Item[] }

function alignWithin(lists: Lists, range: Change, changes: Change[], depth: number): void {
  const core = trim(lists, range)
  if (isEmpty(core.before) || isEmpty(core.after)) {
    add(changes, core)
    return
  }

  const anchors = depth < maxDepth ? longestIncreasing(pairsOf(lists, core, true)) : []
  if (anchors.length > 0) {
    for (const gap of gapsBetween(core, anchors)) alignWithin(lists, gap, changes, depth + 1)
    return
  }
  const gaps = shortestEdits(lists, core) ?? gapsBetween(core, longestIncreasing(pairsOf(lists, core, false)))
  for (const gap of gaps) add(changes, gap)
}

// Adjacent changes are joined; one that is empty on both sides is dropped.
function add(changes: Change[], { before, after }: Change): void {
  if (isEmpty(before) && isEmpty(after)) return
  const last = changes.at(-1)
  if (last && last.before.end === before.start && last.after.end === after.start) {
    last.before = { start: last.before.start, end: before.end }
    last.after = { start: last.after.start, end: after.end }
    return
  }
  changes.push({ before, after })
}

const isEmpty = ({ start, end }: Range) => start === end

function trim({ before, after }: Lists, range: Change): Change {
  let { start, end } = range.before
  let { start: from, end: to } = range.after
  while (start < end && from < to && before[start] === after[from]) {
    start++
    from++
  }
  while (start < end && from < to && before[end - 1] === after[to - 1]) {
    end--
    to--
  }
  return { before: { start, end }, after: { start: from, end: to } }
}

/** Pairs the nth occurrence of an item on one side with its nth on the other; `onlyUnique`: items that occur once. */
function pairsOf(lists: Lists, { before, after }: Change, onlyUnique: boolean): Pair[] {
  const old = occurrences(lists.before, before)
  const fresh = occurrences(lists.after, after)
  const pairs: Pair[] = []
  for (const [item, places] of old) {
    const others = fresh.get(item)
    if (!others || (onlyUnique && (places.length > 1 || others.length > 1))) continue
    for (let n = 0; n < Math.min(places.length, others.length); n++) {
      pairs.push({ before: places[n]!, after: others[n]! })
    }
  }
  return pairs.sort((a, b) => a.before - b.before)
}

function occurrences(items: readonly Item[], { start, end }: Range): Map<Item, number[]> {
  const places = new Map<Item, number[]>()
  for (let index = start; index < end; index++) {
    const list = places.get(items[index]!)
    if (list) list.push(index)
    else places.set(items[index]!, [index])
  }
  return places
}

/** The longest subsequence of pairs, sorted by `before`, whose `after` increases too. */
function longestIncreasing(pairs: readonly Pair[]): Pair[] {
  const tops: number[] = []
  const below = new Array<number>(pairs.length)
  pairs.forEach(({ after }, index) => {
    const rank = countWhile(tops.length, (at) => pairs[tops[at]!]!.after < after)
    below[index] = tops[rank - 1] ?? -1
    tops[rank] = index
  })

  const increasing: Pair[] = []
  for (let index = tops.at(-1) ?? -1; index >= 0; index = below[index]!) increasing.push(pairs[index]!)
  return increasing.reverse()
}

function gapsBetween(range: Change, pairs: readonly Pair[]): Change[] {
  const gaps: Change[] = []
  let before = range.before.start
  let after = range.after.start
  for (const pair of pairs) {
    gaps.push({ before: { start: before, end: pair.before }, after: { start: after, end: pair.after } })
    before = pair.before + 1
    after = pair.after + 1
  }
  gaps.push({
    before: { start: before, end: range.before.end },
    after: { start: after, end: range.after.end },
  })
  return gaps
}

function shortestEdits(lists: Lists, range: Change): Change[] | null {
  const old = lists.before.slice(range.before.start, range.before.end)
  const fresh = lists.after.slice(range.after.start, range.after.end)
  const maxEditLength = Math.min(maxEdits, Math.floor(maxSteps / (old.length + fresh.length)))
  const parts = diffArrays(old, fresh, { maxEditLength })
  if (!parts) return null

  const gaps: Change[] = []
  let before = range.before.start
  let after = range.after.start
  for (const { added, removed, count } of parts) {
    const end = { before: before + (added ? 0 : count), after: after + (removed ? 0 : count) }
    if (added || removed) {
      gaps.push({ before: { start: before, end: end.before }, after: { start: after, end: end.after } })
    }
    before = end.before
    after = end.after
  }
  return gaps
}
