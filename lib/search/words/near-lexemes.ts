// Corrections for an unknown word: a known one that differs by a typing slip, that it is a prefix of (typing isn't
// finished), or that is a prefix of it (a slip in the ending hid it: `waitng`).

import { distanceFrom } from '../../core/text/words/edit-distance.ts'

export type NearLexeme = { lexeme: string; weight: number }

type Candidate = NearLexeme & { rank: number; count: number }

const most = 4
const maxCompletions = 8
const endings = 'ion ation iti ment ent enc anc ing ed er or al at iv abl ibl ous ful li'.split(' ')

/**
 * Known lexemes similar to an unknown one, at most four, each with its weight relative to the word itself. Slips: one
 * in words of four or more letters, two from eight on, none in numbers. Only the closest class is returned, most
 * frequent first.
 */
export function nearLexemes(unknown: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const compare = comparison(unknown)
  const candidates: Candidate[] = []
  for (const byLexeme of counts) {
    // Map entries would be an object each, for every lexeme of the Space.
    for (const lexeme of byLexeme.keys()) {
      const near = compare(lexeme)
      if (near) candidates.push({ lexeme, count: byLexeme.get(lexeme)!, ...near })
    }
  }

  const nearest = Math.min(...new Set(candidates.map(({ rank }) => rank)))
  const best = candidates.filter(({ rank }) => rank === nearest).sort((a, b) => b.count - a.count)
  const weights = new Map(best.map(({ lexeme, weight }) => [lexeme, weight]))
  return [...weights].slice(0, most).map(([lexeme, weight]) => ({ lexeme, weight }))
}

/** The eight most frequent known lexemes that begin with an unfinished word; not the word itself. */
export function completions(beginning: string, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const frequencies = new Map<string, number>()
  for (const byLexeme of counts) {
    for (const lexeme of byLexeme.keys()) {
      if (lexeme.length > beginning.length && lexeme.startsWith(beginning)) {
        frequencies.set(lexeme, (frequencies.get(lexeme) ?? 0) + byLexeme.get(lexeme)!)
      }
    }
  }
  const best = [...frequencies].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxCompletions)
  return best.map(([lexeme]) => ({ lexeme, weight: 0.6 }))
}

/** Ranks: the number of slips, 1.5 for a slip that hid an ending, 3 for a prefix, then the longest known prefix. */
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

/** Stems that a slip hid from the stemmer: `transction` without its ending, `chimeni` with the y that was typed. */
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
