// The same words on the other sides: who does what to whom, what is more than what, what comes before what.

import { isSameValue, type Value } from '../../../core/text/words/values.ts'
import type { Language } from './languages.ts'
import { coverage, findAll, isSame, type Statement, type Token, wordsOf } from './statement.ts'

/** The share of two statements that is the same where one is the other turned round, and how far the words reach. */
const minTurned = 0.85
const reach = 12

/**
 * The same words on the other sides of a word between them: "Ada hired Ben", "because", "larger than". Where endings say
 * who does what, words in the same form have only changed places.
 */
export function turnedFlags(claim: Statement, main: Statement): string[] {
  if (claim.language !== main.language) return []
  const swapped = swappedName(claim, main)
  if (swapped) return [swapped]
  if (wordsOf(claim, 'by').length !== wordsOf(main, 'by').length) return []
  const { language } = claim
  const bares = claim.tokens.map(({ bare }) => bare)
  const places = claim.tokens.map((token) => {
    const found = main.tokens.flatMap((one, at) => (isSame(one.bare, token.bare) ? [at] : []))
    const isOnce = found.length === 1 && bares.filter((bare) => isSame(bare, token.bare)).length === 1
    return isOnce ? found[0]! : -1
  })
  if (!hasSameWords(claim, main, places)) return []
  for (const [at, pivot] of claim.tokens.entries()) {
    const place = places[at]!
    const isLink = !pivot.isContent && findAll(language.words.link, pivot.word.toLowerCase()).length > 0
    if (place < 0 || !(isLink || (pivot.isContent && !pivot.isCapital))) continue
    const sideOf = (from: number, to: number, isLeft: boolean) => {
      const known = claim.tokens.flatMap(({ isContent, isValue, word }, n) => {
        if (n < from || n >= to || !(isContent || isValue) || places[n]! < 0) return []
        return [
          { place: places[n]!, isForm: word.toLowerCase() === main.tokens[places[n]!]!.word.toLowerCase() },
        ]
      })
      const crossed = known.filter((one) => one.place < place !== isLeft)
      // Beside a link only what stands next to it has a side.
      const nearest = isLeft ? known.at(-1) : known[0]
      if (isLink) return nearest && crossed.includes(nearest) ? 1 : 0
      const isMoved = hasCases.has(language.code) && crossed.every(({ isForm }) => isForm)
      return isMoved ? 0 : crossed.length - (known.length - crossed.length)
    }
    if (sideOf(at - reach, at, true) > 0 && sideOf(at + 1, at + 1 + reach, false) > 0)
      return [`the passage has it the other way round at “${pivot.word}”`]
  }
  return []
}

const hasCases: ReadonlySet<string> = new Set(['pl', 'ru', 'tr', 'ja', 'ko'])

/** Nearly all words of the claim are in the sentence, and nearly all that it has between them in the claim. */
function hasSameWords(claim: Statement, main: Statement, places: readonly number[]): boolean {
  const isIn = ({ bare }: Token, { tokens }: Statement) => tokens.some((one) => isSame(one.bare, bare))
  const known = places.filter((place) => place >= 0)
  const between = main.tokens.slice(Math.min(...known), Math.max(...known) + 1)
  const share = (tokens: readonly Token[], other: Statement) =>
    tokens.filter((token) => isIn(token, other)).length / Math.max(1, tokens.length)
  return known.length > 2 && share(claim.tokens, main) >= minTurned && share(between, claim) >= minTurned
}

/** A name of the claim's clause that the sentence has in another clause, and another name in its place. */
function swappedName(claim: Statement, main: Statement): string | null {
  const has = (tokens: readonly Token[], { bare }: Token) => tokens.some((one) => isSame(one.bare, bare))
  for (const { tokens } of claim.clauses) {
    const said = tokens.filter(({ isContent, isCapital, isValue }) => isValue || (isContent && !isCapital))
    const countIn = (clause: readonly Token[]) => said.filter((token) => has(clause, token)).length
    const [best] = main.clauses.toSorted((a, b) => countIn(b.tokens) - countIn(a.tokens))
    if (!best || countIn(best.tokens) === 0) continue
    const names = tokens.filter((token) => token.isCapital && token.isContent)
    const strange = names.find((name) => has(main.tokens, name) && !has(best.tokens, name))
    const own = best.tokens.find((token) => token.isCapital && token.isContent && !has(tokens, token))
    const isElsewhere =
      strange && !main.clauses.some((one) => has(one.tokens, strange) && countIn(one.tokens) > 0)
    if (strange && own && isElsewhere) return `says ${strange.word}, the passage ${own.word}`
  }
  return null
}

/** More where the passage has less, before the same value or in the same words. */
export function comparedFlags(claim: Statement, main: Statement): string[] {
  const sideOf = (text: string, { words }: Language) => {
    const [more, less] = [findAll(words.more, text), findAll(words.less, text)]
    return more.length > 0 === less.length > 0
      ? null
      : { isMore: more.length > 0, word: (more[0] ?? less[0])! }
  }
  const before = ({ tokens, language }: Statement, { from }: Value) =>
    sideOf(
      tokens
        .slice(Math.max(0, from - 3), from)
        .map(({ word }) => word.toLowerCase())
        .join(' '),
      language,
    )
  const whole = ({ clauses, language }: Statement) =>
    sideOf(clauses.map(({ lower }) => lower).join(' '), language)
  const pairs = claim.values.flatMap((value) => {
    const found = main.values.find((one) => isSameValue(value, one))
    return found ? [[before(claim, value), before(main, found)] as const] : []
  })
  if (coverage(claim, main) >= 0.6) pairs.push([whole(claim), whole(main)])
  const turned = pairs.find(([one, other]) => one && other && one.isMore !== other.isMore)
  return turned ? [`says “${turned[0]!.word}”, the passage “${turned[1]!.word}”`] : []
}
