// A sentence as it is compared: its words, its values, its names, and its clauses with the words of each class in them.

import { casedWords } from '../../../core/text/words/quote-words.ts'
import { remember } from '../../../core/text/words/remember.ts'
import { type Value, valuesIn } from '../../../core/text/words/values.ts'
import { bareWord, isSameWord, stem } from '../../../core/text/words/words.ts'
import { type Language, languageOf } from './languages.ts'

export type Token = {
  word: string
  /** Lower-case, without accents and possessive endings. */
  bare: string
  isValue: boolean
  isCapital: boolean
  /** Says what is stated: no word of grammar, no value. */
  isContent: boolean
}

export type Statement = {
  text: string
  language: Language
  tokens: readonly Token[]
  values: readonly Value[]
  clauses: readonly Clause[]
}

export type Clause = { lower: string; tokens: readonly Token[] }

/** `around`: the rest of the passages, their titles and headings: a name may stand there. */
export type Basis = { sentences: readonly Statement[]; around: () => readonly Statement[] }

/** A claim with the sentence that is closest to it, and the others that it rests on. */
export type Pair = { claim: Statement; main: Statement } & Basis

/** `fallback`: the language of one that is too short to tell. */
export function readStatement(text: string, fallback?: Language): Statement {
  const plain = text
    .normalize('NFKC')
    .replace(/[’‘ʼ]/g, "'")
    .replace(citationMarks, ' ')
    .replace(initials, (found) => found.replaceAll('.', ''))
  const language = languageOf(plain, fallback)
  const parts = plain.split(clauseSigns).flatMap((part) => splitAtAnd(part, language))
  const written = parts.map((part) => casedWords(part.replace(elided, '$1 ')))
  const values = valuesIn(written.flat())
  const inValue = new Set(
    values.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n)),
  )
  let at = -1
  const clauses = written.map((words, clause): Clause => {
    const tokens = words.map((word): Token => {
      at += 1
      const bare = bareWord(word).replace(/'s?$/, '')
      const isValue = inValue.has(at)
      const isLetter = bare.length > 1 || unspaced.test(bare)
      const isCapital = /^\p{Lu}/u.test(word) && word !== 'I'
      const isContent = !isValue && isLetter && !language.isGrammar(word.toLowerCase())
      return { word, bare, isValue, isCapital, isContent }
    })
    return { lower: parts[clause]!.toLowerCase(), tokens }
  })
  return {
    text,
    language,
    values,
    clauses: clauses.filter(({ tokens }) => tokens.length > 0),
    tokens: clauses.flatMap(({ tokens }) => tokens),
  }
}

const initials = /(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,}/gu
const citationMarks = /\[ ?(?:[WP]?\d{1,4}|[a-z])(?: ?[,–-] ?[WP]?\d{1,4})* ?\]/g
/** "l'usine" is two words. */
const elided = /(?<![\p{L}\p{M}])([ldjnscmt]|qu|un|dell|all|nell|sull|dall)'(?=\p{L}{2})/giu
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const clauseSigns = /[,;:()—](?=\s|$)|[(、，；：]|\s[-–—]\s/

/** "and" and "but" as they are written, whatever their letters. */
function splitAtAnd(part: string, { isUnspaced, words }: Language): string[] {
  if (isUnspaced) return [part]
  const parts: string[] = []
  let from = 0
  for (const { index, 0: found } of part.toLowerCase().matchAll(words.and)) {
    parts.push(part.slice(from, index))
    from = index + found.length
  }
  return [...parts, part.slice(from)]
}

/** `match` and not `matchAll`, which makes the expression anew at each call. */
export const findAll = (words: RegExp, text: string): string[] => text.match(words) ?? []

/** The words of some classes in a whole statement. */
export const wordsOf = (
  { clauses, language }: Pick<Statement, 'clauses' | 'language'>,
  ...names: (keyof Language['words'])[]
): string[] => clauses.flatMap(({ lower }) => names.flatMap((name) => findAll(language.words[name], lower)))

/** Whether two bare words are forms of one; the short ones only as they are, but for Korean particles. */
export const isSame = (one: string, other: string): boolean =>
  one === other ||
  (/^\p{Script=Hangul}{2}/u.test(one) && one.slice(0, 2) === other.slice(0, 2)) ||
  (one.length > 3 && other.length > 3 && (isSameWord(one, other) || stemOf(one) === stemOf(other)))

export const hasWord = (tokens: readonly Token[], { bare }: Token): boolean =>
  tokens.some((one) => isSame(one.bare, bare))

export const stemOf = remember(stem)

/** Names that are declined keep their first letters: "Malec" and "Malca", "Анна" and "Анну". */
export const isSameName = (one: string, other: string, { hasCases }: Language): boolean =>
  isSame(one, other) || (hasCases && other.startsWith(one.slice(0, Math.max(3, one.length - 3))))

/** The share of the content of one statement that another one has. */
export function coverage(claim: Statement, { tokens }: Statement): number {
  const content = claim.tokens.filter(({ isContent }) => isContent)
  return content.length === 0 ? 1 : content.filter((token) => hasWord(tokens, token)).length / content.length
}

/** Tokens with a capital letter that mean something; where every noun has one, those that stand as names do. */
export function namesOf(claim: Statement, main: Statement): Token[] {
  const { tokens, language } = claim
  return tokens.filter((token, at) => {
    if (!token.isCapital || !token.isContent || isClassWord(token, language)) return false
    const isBesideName = [tokens[at - 1], tokens[at + 1]].some(isNamed)
    if (isBesideName) return true
    // The first word of a sentence is one where what follows it is said of another name, or of it elsewhere.
    if (at === 0)
      return (
        coverage(claim, main) >= 0.6 &&
        hasWord(main.tokens, tokens[1] ?? token) &&
        main.tokens.some((one, n) => isNamed(one) && (n > 0 || !hasWord(tokens, one)))
      )
    return language.code !== 'de' || /^(?:in|von|bei|aus|nach|durch|mit)$/i.test(tokens[at - 1]!.word)
  })
}

const isNamed = (token: Token | undefined): boolean => token?.isCapital === true && token.isContent

const isClassWord = ({ word }: Token, { words }: Language): boolean =>
  Object.values(words).some((each) => findAll(each, word.toLowerCase()).length > 0)
