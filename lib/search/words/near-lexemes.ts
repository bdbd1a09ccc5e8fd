// What an unknown word may have meant: a known one that is a slip of the finger away, that it begins (typing isn't
// finished), or that begins it (a slip in the ending hid it: `waitng`).

import { distanceFrom } from '../../core/text/words/edit-distance.ts'

export type NearLexeme = { lexeme: string; weight: number }

type Candidate = NearLexeme & { rank: number; count: number }

const most = 4
const maxCompletions = 8
const endings = 'ion ation iti ment ent enc anc ing ed er or al at iv abl ibl ous ful li'.split(' ')

/**
 * Known lexemes near an unknown one, at most four, with what each is worth against the word itself. Slips: one in a
 * word of four letters or more, two from eight on, none in numbers. Only the nearest sort found is given, the most
 * frequent first.
 */
export function nearLexemes(unknown: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const compare = comparison(unknown)
  const found: Candidate[] = []
  for (const byLexeme of counts) {
    // Pairs of the map would be an object each, for every lexeme of the Space.
    for (const lexeme of byLexeme.keys()) {
      const near = compare(lexeme)
      if (near) found.push({ lexeme, count: byLexeme.get(lexeme)!, ...near })
    }
  }

  const nearest = Math.min(...new Set(found.map(({ rank }) => rank)))
  const best = found.filter(({ rank }) => rank === nearest).sort((a, b) => b.count - a.count)
  const weights = new Map(best.map(({ lexeme, weight }) => [lexeme, weight]))
  return [...weights].slice(0, most).map(([lexeme, weight]) => ({ lexeme, weight }))
}

/** Known lexemes that begin as a word does that is still being typed, the eight most frequent; not the word itself. */
export function completions(beginning: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const found = new Map<string, number>()
  for (const byLexeme of counts) {
    for (const lexeme of byLexeme.keys()) {
      if (lexeme.length > beginning.length && lexeme.startsWith(beginning)) {
        found.set(lexeme, (found.get(lexeme) ?? 0) + byLexeme.get(lexeme)!)
      }
    }
  }
  const best = [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxCompletions)
  return best.map(([lexeme]) => ({ lexeme, weight: 0.6 }))
}

/** Ranks: the number of slips, 1.5 for a slip that hid an ending, 3 for a beginning, then the longest known prefix. */
function comparison(unknown: string): (lexeme: string) => { rank: number; weight: number } | null {
  const slips = allowedSlips(unknown)
  const distance = distanceFrom(unknown, slips)
  const begins = unknown.length >= 3 || /[^\x20-\x7f]/.test(unknown)
  const shortestStem = Math.max(4, unknown.length / 2)
  const distancesOfStem = slips > 0 ? stemsOf(unknown).map((stem) => distanceFrom(stem, 1)) : []

  return (lexeme) => {
    const rank = slips > 0 ? distance(lexeme) : 1
    if (rank <= slips) return { rank, weight: 0.8 }
    if (distancesOfStem.some((fromStem) => fromStem(lexeme) <= 1)) return { rank: 1.5, weight: 0.8 }
    if (begins && lexeme.startsWith(unknown)) return { rank: 3, weight: 0.6 }
    if (slips > 0 && lexeme.length >= shortestStem && unknown.startsWith(lexeme))
      return { rank: 100 - lexeme.length, weight: 0.6 }
    return null
  }
}

/** What a slip kept the stemmer from finding: `transction` without its ending, `chimeni` with the y that was typed. */
function stemsOf(unknown: string): string[] {
  const bare = endings
    .filter((ending) => unknown.endsWith(ending) && unknown.length - ending.length >= 5)
    .map((ending) => unknown.slice(0, -ending.length))
  return unknown.endsWith('i') ? [...bare, `${unknown.slice(0, -1)}y`] : bare
}

function allowedSlips(word: string): number {
  if (word.length < 4 || /\p{N}/u.test(word)) return 0
  return word.length > 7 ? 2 : 1
}
