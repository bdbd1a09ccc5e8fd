// What an unknown word may have meant: a known one that it begins, or one that is a slip of the finger away.

import { editDistance } from './edit-distance.ts'

export type NearLexeme = { lexeme: string; weight: number }

const most = 4

/**
 * Known lexemes near an unknown one, nearest and then most frequent first, with what each is worth against the word
 * itself. Slips: one for words of four letters, two from eight on; none in numbers. Beginnings: from three letters, or
 * one where the script has no spaces.
 */
export function nearLexemes(unknown: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const slips = allowedSlips(unknown)
  const begins = unknown.length >= 3 || /[^\x20-\x7f]/.test(unknown)
  const found: { lexeme: string; distance: number; count: number }[] = []

  for (const byLexeme of counts) {
    for (const [lexeme, count] of byLexeme) {
      const distance = slips > 0 ? editDistance(unknown, lexeme, slips) : Infinity
      if (distance <= slips) found.push({ lexeme, distance, count })
      else if (begins && lexeme.startsWith(unknown)) found.push({ lexeme, distance: 3, count })
    }
  }

  const nearest = found
    .sort((a, b) => a.distance - b.distance || b.count - a.count)
    .filter(({ distance }, _, [first]) => distance === first!.distance)
  return [...new Set(nearest.map(({ lexeme }) => lexeme))]
    .slice(0, most)
    .map((lexeme) => ({ lexeme, weight: nearest[0]!.distance === 3 ? 0.6 : 0.8 }))
}

function allowedSlips(word: string): number {
  if (word.length < 4 || /\p{N}/u.test(word)) return 0
  return word.length > 7 ? 2 : 1
}
