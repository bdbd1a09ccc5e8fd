import type { CardWarning } from '../../contract/changes/card.ts'
import type { DroppedChange } from '../../contract/changes/decision.ts'
import { quoteShownSingly as quoted } from '../../core/text/quote-name.ts'

/** Changes of an earlier draft that are named. */
const maxDrops = 4

/** What a waiting draft would have changed, and the one in its place does not; fields by their labels. */
export function warnDrops(drops: readonly DroppedChange[]): CardWarning[] {
  if (drops.length === 0) return []
  const named = drops.slice(0, maxDrops).map(({ field, text }) => {
    if (field === '') return text
    return text === '' ? field.toLowerCase() : `${field.toLowerCase()} ${quoted(text)}`
  })
  const more = drops.length > maxDrops ? ` and ${drops.length - maxDrops} more` : ''
  const message = `It leaves out what an earlier draft would change: ${named.join(', ')}${more}.`
  return [{ code: 'drops_earlier', message, field: null, hunk: null }]
}
