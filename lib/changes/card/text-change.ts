// What a draft changes in a text: the text diff, with the links that change at each hunk.

import type { ChangeCounts, LinkChange, TextChange } from '../../contract/changes/text-change.ts'
import { splitLines } from '../../core/text/clean.ts'
import { countWhile } from '../../core/text/count-while.ts'
import { diffText } from '../../core/text/diff/diff-text.ts'
import { hostOf } from '../../core/text/links/link-host.ts'
import { type LinkTarget, linkTargets } from '../../core/text/links/link-targets.ts'

/** The whole change: nothing is folded. */
export function textChange(before: string, after: string): TextChange {
  const { hunks, unchanged } = diffText(before, after)
  if (hunks.length === 0)
    return { hunks: [], totals: { ...noCounts, hunks: 0 }, folded: null, unchanged_below: 0 }

  const linksOf = (side: 'before' | 'after', text: string) =>
    linksByRange(
      text,
      linkTargets(text),
      hunks.map(({ lines }) => lines[side]),
    )
  const links = { before: linksOf('before', before), after: linksOf('after', after) }
  return {
    hunks: hunks.map((hunk, index) => ({
      ...hunk,
      parts: hunk.parts.map((part) => ({ ...part, folded: 0 })),
      unchanged_above: unchanged[index]!.length,
      links: linkChanges(links.before[index]!, links.after[index]!),
      more_links: 0,
      quotes: [],
    })),
    totals: { ...sumCounts(hunks.map(({ counts }) => counts)), hunks: hunks.length },
    folded: null,
    unchanged_below: unchanged.at(-1)!.length,
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

type Link = Pick<LinkTarget, 'kind' | 'label' | 'target'>

/** The links that are changed, added or removed between two lists; those in both are left out. */
export function linkChanges(before: readonly Link[], after: readonly Link[]): LinkChange[] {
  const { left: gone, right: come } = pairs(before, after, (link) => keyOf(link, link.target))
  const byLabel = pairs(gone, come, (link) => keyOf(link, ''))
  const byTarget = pairs(byLabel.left, byLabel.right, ({ kind, target }) => `${kind}\n${target}`)
  const byKind = pairs(byTarget.left, byTarget.right, ({ kind }) => kind)
  return [
    ...[...byLabel.pairs, ...byTarget.pairs, ...byKind.pairs].map(([old, fresh]) => toChange(old, fresh)),
    ...byKind.left.map((link) => toChange(link, null)),
    ...byKind.right.map((link) => toChange(null, link)),
  ]
}

const keyOf = ({ kind, label }: Link, target: string) => `${kind}\n${label}\n${target}`

function toChange(before: Link | null, after: Link | null): LinkChange {
  const { kind, label } = (after ?? before)!
  return {
    kind,
    label,
    before: before?.target ?? null,
    after: after?.target ?? null,
    hosts: { before: hostIn(before), after: hostIn(after) },
  }
}

const hostIn = (link: Link | null) =>
  link === null || link.kind === 'wikilink' || link.kind === 'embed' ? null : hostOf(link.target)

type Pairing = { pairs: [Link, Link][]; left: Link[]; right: Link[] }

/** Pairs the first link of a key on the left with the first of it on the right, and so on. */
function pairs(left: readonly Link[], right: readonly Link[], key: (link: Link) => string): Pairing {
  const waiting = Map.groupBy(right.toReversed(), key)
  const paired = new Set<Link>()
  const pairing: Pairing = { pairs: [], left: [], right: [] }
  for (const link of left) {
    const partner = waiting.get(key(link))?.pop()
    if (!partner) {
      pairing.left.push(link)
      continue
    }
    paired.add(partner)
    pairing.pairs.push([link, partner])
  }
  pairing.right = right.filter((link) => !paired.has(link))
  return pairing
}

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
