// Corrections for an unknown word: a known one that differs by a typing slip, that it is a prefix of (typing isn't
// finished), or that is a prefix of it (a slip in the ending hid it: `waitng`).

import { distanceFrom } from '../../core/text/words/edit-distance.ts'

type NearLexeme = { lexeme: string; weight: number }

type Candidate = NearLexeme & { rank: number; count: number }

const most = 4
const maxCompletions = 8
const endings = 'ion ation iti ment ent enc anc ing ed er or al at iv abl ibl ous ful li'.split(' ')

/**
 * Known lexemes similar to an unknown one, at most four, each with its weight relative to the word itself. Slips: one
 * in words of four or more letters (six beside digits), two from eight on, none in digits. Only the closest class is
 * returned, most frequent first.
 */
function nearLexemes(
  { word, lexeme: unknown }: { word: string; lexeme: string },
  counts: readonly ReadonlyMap<string, number>[],
  accepts: Accepts,
): NearLexeme[] {
  const compare = comparison(unknown, word)
  return nearest((lexeme) => {
    const near = compare(lexeme)
    return near && accepts(lexeme) ? near : null
  }, counts)
}

/** Whether a lexeme may take an unknown one's place. */
type Accepts = (lexeme: string) => boolean

/** Letters of a word that is looked for as the beginning of others. */
export const minBeginning = 3
const maxBegun = 4

/**
 * Candidates for an unknown word: words that begin with it or, if there are none, words that differ by a typing slip.
 */
export function meantBy(
  { word, lexeme }: { word: string; lexeme: string },
  counts: readonly ReadonlyMap<string, number>[],
  accepts: Accepts,
): NearLexeme[] {
  const begun = word.length >= minBeginning ? completions(word, counts, accepts).slice(0, maxBegun) : []
  return begun.length > 0 ? begun : nearLexemes({ word, lexeme }, counts, accepts)
}

/** Other lexemes that are one slip away from one that is known. */
export function slipsOf(
  known: readonly string[],
  counts: readonly ReadonlyMap<string, number>[],
): NearLexeme[] {
  return nearest(slipsFrom(known[0] ?? ''), counts).filter(({ lexeme }) => !known.includes(lexeme))
}

type Compare = (lexeme: string) => { rank: number; weight: number } | null

function nearest(compare: Compare, counts: readonly ReadonlyMap<string, number>[]): NearLexeme[] {
  const candidates: Candidate[] = []
  for (const byLexeme of counts) {
    // Map entries would be an object each, for every lexeme of the Space.
    for (const lexeme of byLexeme.keys()) {
      const near = compare(lexeme)
      if (near) candidates.push({ lexeme, count: byLexeme.get(lexeme)!, ...near })
    }
  }

  const closest = Math.min(...new Set(candidates.map(({ rank }) => rank)))
  const best = candidates.filter(({ rank }) => rank === closest).sort((a, b) => b.count - a.count)
  const weights = new Map(best.map(({ lexeme, weight }) => [lexeme, weight]))
  return [...weights].slice(0, most).map(([lexeme, weight]) => ({ lexeme, weight }))
}

/** The eight most frequent known lexemes that begin with an unfinished word; not the word itself. */
export function completions(
  beginning: string,
  counts: readonly ReadonlyMap<string, number>[],
  accepts: Accepts = () => true,
): NearLexeme[] {
  const frequencies = new Map<string, number>()
  for (const byLexeme of counts) {
    for (const lexeme of byLexeme.keys()) {
      if (lexeme.length > beginning.length && lexeme.startsWith(beginning) && accepts(lexeme)) {
        frequencies.set(lexeme, (frequencies.get(lexeme) ?? 0) + byLexeme.get(lexeme)!)
      }
    }
  }
  const best = [...frequencies].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxCompletions)
  return best.map(([lexeme]) => ({ lexeme, weight: 0.6 }))
}

/** Another word, one slip away, that is not the same with an ending. */
function slipsFrom(known: string): Compare {
  const distance = distanceFrom(known, 1)
  return (lexeme) =>
    !lexeme.startsWith(known) && !known.startsWith(lexeme) && distance(lexeme) === 1
      ? { rank: 1, weight: 0.8 }
      : null
}

/** Letters that an unknown word has at least to be looked for inside others; writing without spaces has words of one. */
const minInside = 4
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const otherScript = /[^\p{Script=Latin}\p{N}]/u

/** `ae` for `ä`, and back; '' if it has neither. */
const withoutUmlauts = (word: string) => word.replace(/([aou])e/g, '$1')

/**
 * Ranks: the number of slips, .5 for a likely one, 1.5 for a slip that hid an ending, 2.4 to 2.5 for the beginning of the
 * word as it was typed, 3 for a prefix, 4 for a part of a compound, then the longest known beginning or end.
 */
function comparison(unknown: string, word: string): Compare {
  const slips = allowedSlips(unknown)
  const distance = distanceFrom(unknown, slips)
  const begins = unknown.length >= 3 || /[^\x20-\x7f]/.test(unknown)
  const shortestStem = Math.max(4, unknown.length / 2)
  const inside = unspaced.test(unknown) || unknown.length >= (otherScript.test(unknown) ? 3 : minInside)
  const plain = withoutUmlauts(unknown)
  const distancesOfStem = slips > 0 ? stemsOf(unknown).map((stem) => distanceFrom(stem, 1)) : []

  const digits = digitsOf(unknown)
  const hasDigits = (lexeme: string) => digits === '' || digitsOf(lexeme) === digits
  const beginning = slips > 0 ? rankOfBeginning(word) : () => null

  return (lexeme) => {
    // What is known by what was said alone is unknown here.
    if (lexeme === unknown) return null
    const rank = slips > 0 ? distance(lexeme) : 1
    if (rank <= slips && hasDigits(lexeme))
      return { rank: rank === 1 && isLikely(unknown, lexeme) ? 0.5 : rank, weight: 0.8 }
    if (distancesOfStem.some((fromStem) => fromStem(lexeme) <= 1) && hasDigits(lexeme))
      return { rank: 1.5, weight: 0.8 }
    if (slips === 0 && plain.length > 2 && withoutUmlauts(lexeme) === plain) return { rank: 1, weight: 0.8 }
    const begun = beginning(lexeme)
    if (begun !== null) return { rank: begun, weight: 0.6 }
    if (begins && lexeme.startsWith(unknown)) return { rank: 3, weight: 0.6 }
    if (inside && (lexeme.includes(unknown) || lexeme.includes(plain))) return { rank: 4, weight: 0.6 }
    if (
      slips > 0 &&
      lexeme.length >= shortestStem &&
      (unknown.startsWith(lexeme) || (lexeme.length >= minInside && unknown.endsWith(lexeme)))
    )
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

/** A letter doubled or not, or neighbours swapped: most slips are one of these. */
function isLikely(word: string, other: string): boolean {
  if (word.length !== other.length) return withoutDoubles(word) === withoutDoubles(other)
  let at = 0
  while (at < word.length && word[at] === other[at]) at += 1
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other
}

const withoutDoubles = (word: string): string => word.replace(/(.)\1+/gu, '$1')

const digitsOf = (word: string): string => word.replace(/\P{N}+/gu, '')

const shareOfBeginning = 0.6

/** The rank of a lexeme that the word begins with, but for a slip: another form of it was written. */
function rankOfBeginning(word: string): (lexeme: string) => number | null {
  const shortest = Math.max(5, Math.ceil(word.length * shareOfBeginning))
  const distances = new Map<number, (lexeme: string) => number>()
  return (lexeme) => {
    const { length } = lexeme
    if (length < shortest || length >= word.length || lexeme[0] !== word[0]) return null
    const distance = distances.get(length) ?? distanceFrom(word.slice(0, length), 1)
    distances.set(length, distance)
    const slips = distance(lexeme)
    return slips <= 1 ? 2.4 + slips / 10 - length / 1000 : null
  }
}

function allowedSlips(word: string): number {
  const letters = word.replace(/\P{L}+/gu, '').length
  if (letters < 4 || (letters < word.length && letters < 6)) return 0
  return letters > 7 ? 2 : 1
}
