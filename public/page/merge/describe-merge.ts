import type { PageText } from '../data/page-text.ts'
import { mergeWithMarkers } from './merge-with-markers.ts'

/** The result that a merge would have, in a sentence. `base`: what both were made from; `null` where not known. */
export function describeMerge(base: string | null, mine: PageText, theirs: PageText): string {
  if (base === null) return 'The text that both started from is not known, so every difference is a conflict.'
  const { conflicts } = mergeWithMarkers(base, mine.body, theirs.body)
  if (conflicts === 0) return 'The changes are in different places and merge without conflicts.'
  return `${conflicts} ${conflicts === 1 ? 'conflict' : 'conflicts'} to resolve by hand.`
}
