import type { Found } from '../answers.ts'
import type { Keywords } from './keywords.ts'
import { rankBlocks } from './rank.ts'

/** Whether a title holds a word of the question. */
export function holdsATerm(title: string, keywords: Keywords): boolean {
  return rankBlocks([justText(title)], keywords).candidates.length > 0
}

/** A text on its own, to be weighed like one that was found. */
export const justText = (text: string): Found => ({
  ...{ kind: '', id: '', title: '', source: '' },
  blocks: [text],
  index: 0,
})
