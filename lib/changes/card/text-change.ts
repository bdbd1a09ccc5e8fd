// What a draft changes in a text: the text diff, with the links that change at each hunk.

import type { ChangeCounts, TextChange } from '../../contract/changes/text-change.ts'
import { diffText } from '../../core/text/diff/diff-text.ts'
import { linkTargets } from '../../core/text/links/link-targets.ts'
import { linkChanges } from './link-changes.ts'
import { linksByRange } from './links-by-range.ts'

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
