// The same words on the other sides: who does what to whom, what is more than what, what comes before what.

import { isSameValue, type Value } from '../../../core/text/words/values.ts'
import type { Language } from './languages.ts'
import {
  coverage,
  findAll,
  hasWord,
  isSame,
  namesOf,
  type Statement,
  type Token,
  wordsOf,
} from './statement.ts'

/** The share of two statements that is the same where one is the other turned round. */
const minTurned = 0.85
const minAlike = 0.6

/** The same words on the other sides of a word between them: "Ada hired Ben", "because", "larger than". */
export function turnedFlags(claim: Statement, main: Statement): string[] {
  if (claim.language !== main.language) return []
  const swapped = swappedName(claim, main)
  if (swapped) return [swapped]
  if (wordsOf(claim, 'by').length !== wordsOf(main, 'by').length) return []
  const places = placesIn(claim, main)
  const isTurned = ({ isContent, word }: Token, at: number) =>
    !isContent &&
    findAll(claim.language.words.link, word.toLowerCase()).length > 0 &&
    isCrossed(claim, places, [at, places[at]!])
  const isAlike = hasSameWords(claim, main, places)
  const pivot = changedNames(claim, main, places) ?? (isAlike ? claim.tokens.find(isTurned) : undefined)
  return pivot ? [`the passage has it the other way round at “${pivot.word}”`] : []
}

/** Of each word of the claim its place in the sentence, where both have it once; -1 for the others. */
const placesIn = (claim: Statement, main: Statement): number[] =>
  claim.tokens.map(({ bare }) => {
    const isIt = (one: Token) => isSame(one.bare, bare)
    const isOnce = claim.tokens.filter(isIt).length === 1 && main.tokens.filter(isIt).length === 1
    return isOnce ? main.tokens.findIndex(isIt) : -1
  })

/** What stands on the two sides of a word of the claim stands on the other sides of a word of the sentence. */
function isCrossed({ tokens }: Statement, places: readonly number[], [at, place]: [number, number]): boolean {
  if (at < 0 || place < 0) return false
  const known = tokens.flatMap(({ isContent, isValue }, n) =>
    (isContent || isValue) && places[n]! >= 0 ? [n] : [],
  )
  return known.some((n) => n < at && places[n]! > place) && known.some((n) => n > at && places[n]! < place)
}

/** Two names that have changed places, with all that is said between them in the sentence, too. */
function changedNames(claim: Statement, main: Statement, places: readonly number[]): Token | undefined {
  // Where endings say who does what, and where more and less say it, they may.
  if (claim.language.hasCases || wordsOf(claim, 'more', 'less').length > 0) return undefined
  const names = namesOf(claim, main).map((name) => claim.tokens.indexOf(name))
  const left = names.find((at, n) => {
    const next = names[n + 1] ?? at
    const said = claim.tokens.slice(at + 1, next).filter(({ isContent }) => isContent)
    const isKnown = said.length > 0 && said.every((token) => hasWord(main.tokens, token))
    return isKnown && places[next]! >= 0 && places[at]! > places[next]!
  })
  return coverage(claim, main) < minAlike || left === undefined ? undefined : claim.tokens[left]
}

/** Nearly all words of the claim are in the sentence, and nearly all that it has between them in the claim. */
function hasSameWords(claim: Statement, main: Statement, places: readonly number[]): boolean {
  const known = places.filter((place) => place >= 0)
  const between = main.tokens.slice(Math.min(...known), Math.max(...known) + 1)
  const share = (tokens: readonly Token[], other: Statement) =>
    tokens.filter((token) => hasWord(other.tokens, token)).length / Math.max(1, tokens.length)
  return known.length > 2 && share(claim.tokens, main) >= minTurned && share(between, claim) >= minTurned
}

/** A name of the claim's clause that the sentence has in another clause, and another name in its place. */
function swappedName(claim: Statement, main: Statement): string | null {
  const [claimed, had] = [namesOf(claim, main), namesOf(main, claim)]
  if (claimed.length === 0 || had.length === 0) return null
  for (const { tokens } of claim.clauses) {
    const said = tokens.filter(({ isContent, isCapital, isValue }) => isValue || (isContent && !isCapital))
    const countIn = (clause: readonly Token[]) => said.filter((token) => hasWord(clause, token)).length
    const [best] = main.clauses.toSorted((a, b) => countIn(b.tokens) - countIn(a.tokens))
    if (!best || countIn(best.tokens) === 0) continue
    const names = claimed.filter((name) => tokens.includes(name))
    const strange = names.find((name) => hasWord(main.tokens, name) && !hasWord(best.tokens, name))
    const own = had.find((token) => best.tokens.includes(token) && !hasWord(tokens, token))
    const isElsewhere =
      strange && !main.clauses.some((one) => hasWord(one.tokens, strange) && countIn(one.tokens) > 0)
    if (strange && own && isElsewhere) return `says ${strange.word}, the passage ${own.word}`
  }
  return null
}

type Side = { isMore: boolean; word: string } | null

/** More where the passage has less, before the same value or in the same words; of two things that changed places, not. */
export function comparedFlags(claim: Statement, main: Statement): string[] {
  const sideOf = (text: string, { words }: Language): Side => {
    const [more, less] = [findAll(words.more, text), findAll(words.less, text)]
    return more.length > 0 === less.length > 0
      ? null
      : { isMore: more.length > 0, word: (more[0] ?? less[0])! }
  }
  const lowerOf = (tokens: readonly Token[]) => tokens.map(({ word }) => word.toLowerCase()).join(' ')
  const before = ({ tokens, language }: Statement, { from }: Value) =>
    sideOf(lowerOf(tokens.slice(Math.max(0, from - 3), from)), language)
  const whole = ({ clauses, language }: Statement) =>
    sideOf(clauses.map(({ lower }) => lower).join(' '), language)
  const differ = (one: Side, other: Side, isTurned = false) =>
    one && other && (one.isMore !== other.isMore) !== isTurned
      ? [`says “${one.word}”, the passage “${other.word}”`]
      : []
  const beforeValues = claim.values.flatMap((value) => {
    const found = main.values.find((one) => isSameValue(value, one))
    return found ? differ(before(claim, value), before(main, found)) : []
  })
  const [own, other] = [whole(claim), whole(main)]
  const share = own && other ? coverage(claim, main) : 0
  const isTurned =
    share >= minAlike && isCrossed(claim, placesIn(claim, main), [comparedAt(claim), comparedAt(main)])
  const isRead = share >= (isTurned ? minTurned : minAlike)
  return [...beforeValues, ...(isRead ? differ(own, other, isTurned) : [])].slice(0, 1)
}

const comparedAt = ({ tokens, language: { words } }: Statement): number =>
  tokens.findIndex(({ word }) =>
    [words.more, words.less].some((some) => findAll(some, word.toLowerCase()).length > 0),
  )
