// What deserves a second look before a draft is approved, found in the payload itself.

import type { Card } from '../../lib/contract/card.ts'
import { countWords } from '../text-diff.ts'
import { hasHidden } from '../../lib/text/hidden-characters.ts'

/** Sentences, the gravest first. */
export function cardWarnings({ operation, fields }: Pick<Card, 'operation' | 'fields'>): string[] {
  if (operation === 'delete') return []
  const texts = fields.map(({ before, after }) => ({ before: asText(before), after: asText(after) }))
  return [
    texts.some(({ after }) => hasHidden(after)) &&
      'It holds characters that cannot be seen; they are written out here.',
    operation === 'update' &&
      texts.some(({ before, after }) => takesAwayMuch(before, after)) &&
      'It takes away most of the text.',
    texts.some(({ before, after }) => remoteImage.test(after) && !remoteImage.test(before)) &&
      'It adds an image from another server, which Void will show as a link.',
  ].filter((warning) => warning !== false)
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const remoteImage = /!\[[^\]]*\]\(\s*<?(?:https?:)?\/\//i

/** More than half of the words, and more than a paragraph. */
const takesAwayMuch = (before: string, after: string): boolean =>
  countWords(before) >= 60 && countWords(after) * 2 < countWords(before)
