import type { CardField, CardWarning } from '../../contract/changes/card.ts'
import { countWords } from '../../core/text/diff/diff-words.ts'
import { amount } from './warning-text.ts'

/** More than a paragraph, and either half of the text or a page of paper. */
const paragraph = 60
const page = 400

/** A text that loses much of what it says. */
export function warnDeletion({ name, before, text }: CardField): CardWarning[] {
  if (!text || typeof before !== 'string') return []
  const lost = text.totals.words_removed - text.totals.words_added
  if (lost < paragraph) return []
  const words = countWords(before)
  if (lost * 2 < words && lost < page) return []
  return [
    {
      code: 'large_deletion',
      message: `It removes ${amount(lost, 'word')} of ${words.toLocaleString('en')}.`,
      field: name,
      hunk: null,
    },
  ]
}

/** A change that a reader would not see. */
export function warnWhiteSpace({ name, before, after, text }: CardField): CardWarning[] {
  if (typeof before !== 'string' || typeof after !== 'string' || before === after) return []
  if (squeeze(before) === squeeze(after)) {
    const message = 'It changes only white space.'
    return [{ code: 'white_space_only', message, field: name, hunk: null }]
  }
  const blank = (text?.hunks ?? []).filter(({ parts }) => {
    const [old, fresh] = ['added', 'removed'].map((side) =>
      squeeze(parts.map(({ kind, text }) => (kind === side ? '' : text)).join('')),
    )
    return old === fresh && old !== ''
  })
  return blank.map(({ index }) => ({
    code: 'white_space_only',
    message: 'Changes only white space here.',
    field: name,
    hunk: index,
  }))
}

const squeeze = (text: string) => text.replace(/\s+/gu, '')
