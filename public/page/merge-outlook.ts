import type { Fields } from './autosave.ts'
import { mergeTexts, openConflicts } from './merge.ts'

/** What bringing two texts together will come to, in a sentence. `base`: what both began with, if that is known. */
export function mergeOutlook(base: string | null, mine: Fields, theirs: Fields): string {
  if (base === null)
    return 'What both began with is not known any more, so every difference is to be settled by hand.'
  const left = openConflicts(mergeTexts(base, mine.body, theirs.body))
  if (left === 0) return 'Both changes are to different places: merged, they fit together.'
  return `${left} ${left === 1 ? 'place was' : 'places were'} changed by both; merging marks what is to be settled.`
}
