import type { CardField } from '../../contract/changes/card.ts'
import { type CardLimits, cutText, foldText } from './fold-text.ts'

/** The field within the limits of a card; what is left out is counted. */
export function foldField(field: CardField, limits: CardLimits): CardField {
  const before = cutValue(field.before, limits.value)
  const after = cutValue(field.after, limits.value)
  return {
    ...field,
    before: before.value,
    after: after.value,
    cut: before.left + after.left > 0 ? { before: before.left, after: after.left } : null,
    text: field.text && foldText(field.text, limits),
  }
}

function cutValue(value: unknown, limit: number): { value: unknown; left: number } {
  if (typeof value !== 'string') return { value, left: 0 }
  const { text, left } = cutText(value, limit)
  return { value: text, left }
}

/** Whether anything of a folded field is left out. */
export const isFolded = ({ cut, text }: CardField): boolean =>
  cut !== null ||
  (text !== null &&
    (text.folded !== null ||
      text.hunks.some((hunk) => hunk.more_links > 0 || hunk.parts.some(({ folded }) => folded > 0))))
