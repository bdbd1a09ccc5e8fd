// What changes in a text, hunk by hunk, each in the place of the document where it stands.

import type { CardHunk, ChangeCounts, DiffPart, HunkKind, TextChange } from '../../contract/card.ts'
import { linkTargets } from '../../text/link-targets.ts'
import { splitLines } from '../../text/split-lines.ts'
import { computeHunks, type Hunk } from '../hunks.ts'
import { type Layout, layoutOf } from './layout.ts'
import { linkChanges } from './link-changes.ts'
import { linksByLine } from './links-by-line.ts'
import { tableRows } from './table-cells.ts'
import { countWords, replaced, wordParts } from './word-parts.ts'

/** Unchanged lines shown on each side of a hunk, and the longest of them that is shown. */
const mostContext = 3
const longestContext = 2000

/** The whole change: nothing is folded. */
export function textChange(before: string, after: string): TextChange {
  const hunks = computeHunks(before, after)
  if (hunks.length === 0)
    return { hunks: [], totals: { ...noCounts, hunks: 0 }, folded: null, unchanged_below: 0 }

  const old = readSide(before)
  const fresh = readSide(after)
  const gaps = gapsOf(hunks, old.lines)
  const shown = hunks.map((hunk, index) => toCardHunk(hunk, { old, fresh, gap: gaps[index]! }))
  return {
    hunks: shown,
    totals: { ...sumCounts(shown.map(({ counts }) => counts)), hunks: shown.length },
    folded: null,
    unchanged_below: gaps.at(-1)!.below.left,
  }
}

const noCounts: ChangeCounts = { words_added: 0, words_removed: 0, lines_added: 0, lines_removed: 0 }

/** The counts of several hunks together. */
export function sumCounts(counts: readonly ChangeCounts[]): ChangeCounts {
  const sum = { ...noCounts }
  for (const one of counts) {
    sum.words_added += one.words_added
    sum.words_removed += one.words_removed
    sum.lines_added += one.lines_added
    sum.lines_removed += one.lines_removed
  }
  return sum
}

type Side = { lines: string[]; layout: Layout; linksIn: ReturnType<typeof linksByLine> }
type Gap = { above: { lines: string[]; left: number }; below: { lines: string[]; left: number } }

function readSide(text: string): Side {
  const lines = splitLines(text).map((line) => line.replace(/\r?\n$/, ''))
  return { lines, layout: layoutOf(lines), linksIn: linksByLine(text, linkTargets(text)) }
}

function toCardHunk(hunk: Hunk, { old, fresh, gap }: { old: Side; fresh: Side; gap: Gap }): CardHunk {
  const removed = hunk.before.lines.join('')
  const added = hunk.after.lines.join('')
  const from = { before: hunk.before.start, after: hunk.after.start }
  const to = { before: from.before + hunk.before.lines.length, after: from.after + hunk.after.lines.length }
  const kind = kindOf(hunk, old.layout, fresh.layout)
  const parts = kind === 'prose' ? wordParts(removed, added) : replaced(removed, added)
  const stands =
    hunk.after.lines.length > 0 ? { side: fresh, line: from.after } : { side: old, line: from.before }

  return {
    index: hunk.index,
    kind,
    heading_path: stands.side.layout.headingsAbove(stands.line),
    lines: {
      before: { start: from.before + 1, count: hunk.before.lines.length },
      after: { start: from.after + 1, count: hunk.after.lines.length },
    },
    unchanged_above: gap.above.left,
    context: { above: gap.above.lines, below: gap.below.lines },
    parts,
    table:
      kind === 'table'
        ? {
            columns: stands.side.layout.columnsAt(stands.line),
            rows: tableRows(old.lines.slice(from.before, to.before), fresh.lines.slice(from.after, to.after)),
          }
        : null,
    counts: countParts(parts, hunk),
    links: linkChanges(old.linksIn(from.before, to.before), fresh.linksIn(from.after, to.after)),
    more_links: 0,
    quotes: [],
  }
}

/** Blank lines belong to what stands around them. */
function kindOf(hunk: Hunk, old: Layout, fresh: Layout): HunkKind {
  const kinds = new Set([
    ...hunk.before.lines.map((_, line) => old.kindAt(hunk.before.start + line)),
    ...hunk.after.lines.map((_, line) => fresh.kindAt(hunk.after.start + line)),
  ])
  kinds.delete('blank')
  const [kind = 'prose'] = kinds
  return kinds.size > 1 || kind === 'blank' ? 'mixed' : kind
}

function countParts(parts: readonly DiffPart[], hunk: Hunk): ChangeCounts {
  const counts = {
    ...noCounts,
    lines_added: hunk.after.lines.length,
    lines_removed: hunk.before.lines.length,
  }
  for (const { kind, text } of parts) {
    if (kind === 'added') counts.words_added += countWords(text)
    if (kind === 'removed') counts.words_removed += countWords(text)
  }
  return counts
}

/** The unchanged lines around each hunk. A line between two hunks is shown once; what is not shown is counted. */
function gapsOf(hunks: readonly Hunk[], lines: readonly string[]): Gap[] {
  const gaps: Gap[] = []
  let start = 0
  hunks.forEach((hunk, index) => {
    const between = lines.slice(start, hunk.before.start)
    const given = gaps.at(-1)?.below.lines.length ?? 0
    const rest = between.slice(given)
    const above = takeLast(rest)
    start = hunk.before.start + hunk.before.lines.length
    const next = hunks[index + 1]?.before.start ?? lines.length
    const below = takeFirst(lines.slice(start, next))
    gaps.push({
      above: { lines: above, left: rest.length - above.length },
      below: { lines: below, left: next - start - below.length },
    })
  })
  return gaps
}

const tooLong = (line: string) => line.length > longestContext

function takeFirst(lines: readonly string[]): string[] {
  const near = lines.slice(0, mostContext)
  const end = near.findIndex(tooLong)
  return end < 0 ? near : near.slice(0, end)
}

const takeLast = (lines: readonly string[]): string[] =>
  takeFirst(lines.slice(-mostContext).toReversed()).reverse()
