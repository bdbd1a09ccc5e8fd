import { countWhile } from '../../core/text/count-while.ts'
import type { LinkTarget } from '../../core/text/links/link-targets.ts'
import { splitLines } from '../../core/text/split-lines.ts'

/** Lines, counted from 1, as a hunk has them. */
type LineRange = { start: number; count: number }

/**
 * For each of the ranges, which are in order and apart, the links that begin in it or whose target is in it. A link
 * belongs to no range that only touches the middle of its label: nested labels over many hunks would add up to n².
 */
export function linksByRange(
  text: string,
  links: readonly LinkTarget[],
  ranges: readonly LineRange[],
): LinkTarget[][] {
  const found: LinkTarget[][] = ranges.map(() => [])
  const starts = lineStarts(text)
  const add = (link: LinkTarget, start: number, end: number) => {
    const last = lastAtOrBefore(starts, end)
    let index = firstEndingAfter(ranges, lastAtOrBefore(starts, start))
    for (; index < ranges.length && ranges[index]!.start <= last; index++) {
      if (ranges[index]!.count > 0 && found[index]!.at(-1) !== link) found[index]!.push(link)
    }
  }
  for (const link of links) {
    add(link, link.start, link.start)
    add(link, link.target_start, Math.max(link.target_start, link.end - 1))
  }
  return found
}

function lineStarts(text: string): number[] {
  let at = 0
  return splitLines(text).map((line) => {
    const start = at
    at += line.length
    return start
  })
}

/** How many of the rising numbers are not above the limit: the line, counted from 1, of a character. */
const lastAtOrBefore = (starts: readonly number[], limit: number) =>
  countWhile(starts.length, (index) => starts[index]! <= limit)

const firstEndingAfter = (ranges: readonly LineRange[], line: number) =>
  countWhile(ranges.length, (index) => ranges[index]!.start + ranges[index]!.count <= line)
