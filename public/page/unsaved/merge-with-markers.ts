import { splitLines } from '../../../lib/core/text/clean.ts'
import { computeHunks } from '../../../lib/core/text/diff/hunks.ts'
import { type MergedText, mergeText } from '../../../lib/core/text/diff/merge-text.ts'
import type { PageText } from '../data/page-data.ts'

const markers = { mine: '<<<<<<< mine\n', middle: '=======\n', theirs: '>>>>>>> theirs\n' } as const

/** The number of conflicts that are still in a text. The editor asks at each key: most texts have none. */
export const openConflicts = (text: string): number =>
  text.includes(markers.mine.trimEnd()) ? (text.match(/^<{7} mine$/gm)?.length ?? 0) : 0

export type Merge = { text: string; conflicts: number }

/**
 * The three-way merge of a page, with both sides of each conflict between markers. `base`: what both were made from;
 * `null` where that is not known: then every difference is a conflict.
 */
export function mergeWithMarkers(base: string | null, mine: string, theirs: string): Merge {
  const { text, conflicts } =
    base === null ? compare(theirs, mine) : mergeText({ base, current: theirs, draft: mine })
  const pieces: string[] = []
  let done = 0
  for (const { at, current, draft } of conflicts) {
    const above = text.slice(done, at)
    // Markers begin at the start of a line.
    pieces.push(
      endLine(above),
      markers.mine,
      endLine(draft),
      markers.middle,
      endLine(current),
      markers.theirs,
    )
    done = at + current.length
  }
  pieces.push(text.slice(done))
  return { text: pieces.join(''), conflicts: conflicts.length }
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function compare(current: string, draft: string): Pick<MergedText, 'text' | 'conflicts'> {
  const lines = splitLines(current)
  let line = 0
  let at = 0
  const conflicts = computeHunks(current, draft).map(({ before, after }) => {
    for (; line < before.start; line++) at += lines[line]!.length
    return { at, base: '', current: before.lines.join(''), draft: after.lines.join('') }
  })
  return { text: current, conflicts }
}

/** The result that a merge would have, in a sentence. `base`: what both were made from; `null` where not known. */
export function describeMerge(base: string | null, mine: PageText, theirs: PageText): string {
  if (base === null) return 'The original text is not available, so every difference is a conflict.'
  const { conflicts } = mergeWithMarkers(base, mine.body, theirs.body)
  if (conflicts === 0) return 'The changes are in different places and merge without conflicts.'
  return `${conflicts} ${conflicts === 1 ? 'conflict' : 'conflicts'} to resolve by hand.`
}
