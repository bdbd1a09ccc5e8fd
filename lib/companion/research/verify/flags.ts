// Red flags: differences between a claim and the sentences it rests on that code can see, and that no judge overrules.
// That nothing is flagged says nothing: opposites ("enabled", "disabled") are for the judge alone.

import { isOtherValue, isSameValue, type Value } from '../../../core/text/words/values.ts'
import { type Language, languageOf } from './languages.ts'
import {
  type Basis,
  type Clause,
  findAll,
  hasWord,
  isSameName,
  namesOf,
  type Pair,
  readStatement,
  type Statement,
  type Token,
  wordsOf,
} from './statement.ts'
import { comparedFlags, turnedFlags } from './turned.ts'

/** What differs, each in words; empty where code sees nothing. */
export type Flags = {
  reasons: string[]
  /** Names and values of the claim that differ, and all of them. */
  entities: { missing: number; of: number }
  isTurned: boolean
}

/** Of the sentences those that are close to the claim are what it rests on; the others are around them. */
export function redFlags(claim: Statement, { sentences, around }: Basis): Flags {
  const ranked = sentences
    .map((sentence) => ({ sentence, close: closeness(claim, sentence) }))
    .toSorted((a, b) => b.close - a.close)
  const main = ranked[0]?.sentence
  const of = claim.values.length + (main ? namesOf(claim, main).length : 0)
  if (!main) return { reasons: [], entities: { missing: of, of }, isTurned: false }
  const within = (share: number) =>
    ranked
      .filter(({ close }, at) => at < maxNear && close >= share * ranked[0]!.close)
      .map(({ sentence }) => sentence)
  const pair = { claim, main, sentences: within(minClose), around: () => [...around(), ...sentences] }
  const entities = [...nothingOf(claim, main), ...valueFlags(pair), ...nameFlags(pair)]
  const turned = turnedFlags(claim, main)
  return {
    reasons: [...entities, ...turned, ...wordFlags({ ...pair, sentences: within(minSame) })],
    entities: { missing: Math.min(of, entities.length), of },
    isTurned: turned.length > 0,
  }
}

/** A sentence that has no word of what is said is about something else, where both are surely of one language. */
function nothingOf(claim: Statement, main: Statement): string[] {
  const isSure = [claim, main].every(
    ({ tokens, language }) =>
      language === main.language &&
      tokens.filter(({ word }) => language.known.has(word.toLowerCase())).length > 1,
  )
  const isShort = claim.tokens.filter(({ isContent }) => isContent).length < 2
  if (!isSure || isShort || closeness(claim, main) > 0) return []
  return claim.values.some((value) => isFound(value, main.values)) ? [] : ['the passage says nothing of it']
}

const maxNear = 4
/** Of a name or value, and of what is said: the share that a sentence has of what the closest one has. */
const minClose = 0.4
const minSame = 0.75

/** How much of a claim a sentence has. Names count least: whose sentence it is shows in what is said. */
export function closeness(claim: Statement, sentence: Statement): number {
  const shared = claim.tokens.filter(
    (token) => (token.isContent || token.isValue) && hasWord(sentence.tokens, token),
  )
  return shared.reduce((sum, { isCapital }) => sum + (isCapital ? 0.5 : 1), 0)
}

function valueFlags({ claim, main, sentences, around }: Pair): string[] {
  const here = sentences.flatMap(({ values }) => values)
  return claim.values.flatMap((value) => {
    const others = main.values.filter(
      (one) => isOtherValue(value, one) && !claim.values.some((own) => isSameValue(own, one)),
    )
    const found = isFound(value, here) || isDatedInParts(value, here, around)
    if (found && (others.length === 0 || isFound(value, main.values))) return []
    const other = others[0] ?? main.values.find(({ kind }) => kind === value.kind)
    return [other ? `says ${value.text}, the passage ${other.text}` : `${value.text} is not in the passage`]
  })
}

/** A number that is written without its unit on one side is the same. */
const isFound = (value: Value, values: readonly Value[]): boolean =>
  values.some(
    (one) =>
      isSameValue(value, one) ||
      (one.kind === value.kind &&
        (one.unit === '' || value.unit === '') &&
        isSameValue({ ...value, unit: '' }, { ...one, unit: '' })) ||
      isHour(value, one) ||
      isHour(one, value),
  )

/** "at seven" for "at 7 pm". */
const isHour = (number: Value, time: Value): boolean =>
  number.kind === 'number' &&
  number.unit === '' &&
  time.kind === 'time' &&
  time.amounts.some((minutes) => minutes % 60 === 0 && (minutes / 60 - number.amounts[0]!) % 12 === 0)

/** The day in the sentence, and its year elsewhere. */
const isDatedInParts = (value: Value, here: readonly Value[], around: Basis['around']): boolean =>
  value.kind === 'date' &&
  value.month * value.year > 0 &&
  here.some((one) => one.year === 0 && isSameValue({ ...value, year: 0 }, one)) &&
  [...here, ...around().flatMap(({ values }) => values)].some(({ year }) => year === value.year)

function nameFlags({ claim, main, sentences, around }: Pair): string[] {
  // Cities and people are called otherwise in another language.
  if (claim.language !== main.language) return []
  const names = namesOf(claim, main)
  const isIn = ({ bare, word }: Token, statements: readonly Statement[]) =>
    statements.some(({ tokens }) => tokens.some((token) => isSameName(bare, token.bare, claim.language))) ||
    holdsInitials(word, claim, statements)
  const missing = names.filter((name) => !isIn(name, sentences) && !isIn(name, around()))
  return missing.length > 0 ? [`“${missing.map(({ word }) => word).join(' ')}” is not in the passage`] : []
}

/** "WHO" for "World Health Organization", and the other way round. */
function holdsInitials(word: string, claim: Statement, statements: readonly Statement[]): boolean {
  const initialsOf = ({ tokens }: Statement) =>
    tokens
      .map((one) => (one.isCapital ? one.word[0] : ' '))
      .join('')
      .replace(/(?<=\S) (?=\S)/g, '')
  const own = initialsOf(claim)
  return statements.some((one) =>
    acronym.test(word)
      ? initialsOf(one).includes(word)
      : one.tokens.some((token) => acronym.test(token.word) && own.includes(token.word)),
  )
}

const acronym = /^\p{Lu}{2,8}$/u

type Class = keyof Language['words']

function wordFlags({ claim, main, sentences }: Pair): string[] {
  const says = (...names: Class[]) => wordsOf(claim, ...names)
  const near = sentences.map((one) => ({ sentence: one, clauses: clausesOn(claim, one, one === main) }))
  const whole = (...names: Class[]) => sentences.flatMap((sentence) => wordsOf(sentence, ...names))
  const inClauses = (name: Class, which: (clauses: Near) => Near) =>
    near.flatMap(({ sentence, clauses }) =>
      which(clauses).flatMap(({ lower }) =>
        name === 'not' ? notsIn(lower, sentence.language) : findAll(sentence.language.words[name], lower),
      ),
    )
  const flags: string[] = []
  const dropped = (found: readonly string[], instead: readonly string[]) => {
    if (found.length > 0 && instead.length === 0)
      flags.push(`the passage says “${found[0]}”, the claim does not`)
  }
  const said = (found: readonly string[], instead: readonly string[]) => {
    if (found.length > 0 && instead.length === 0) flags.push(`says “${found[0]}”, the passage does not`)
  }
  const grown = (name: Class) => says(name).filter((word) => !says('not').includes(word))

  const shared = (clauses: Near) => clauses.filter(({ isShared }) => isShared)
  dropped(inClauses('not', shared), says('not', 'denial', 'except'))
  const nots = claim.clauses.flatMap(({ lower }) => notsIn(lower, claim.language))
  said(nots, whole('not', 'denial', 'except'))
  const denies = wordsOf(main, 'not').length > 0 ? [] : says('not')
  const untold = (clauses: Near) => beside(clauses).filter((one) => !isTold(one, claim, main))
  dropped(inClauses('except', untold), [...says('except', 'only', 'some', 'part'), ...denies])
  dropped(inClauses('doubt', beside), says('doubt', 'maybe', 'if', 'denial'))
  dropped(inClauses('if', beside), [...says('if', 'when', 'except', 'only', 'doubt'), ...denies])
  said(grown('all'), whole('all'))
  said(grown('only'), whole('only', 'except'))
  said(grown('most'), whole('most'))
  if (says('most').length > 0 && says('among').length === 0 && wordsOf(main, 'most').length > 0)
    dropped(wordsOf(main, 'among'), [])
  dropped(inClauses('some', shared), says('some', 'part', 'doubt', 'among'))
  return [...flags, ...comparedFlags(claim, main)]
}

type Near = readonly (Clause & { length: number; isShared: boolean })[]

/** The clauses of a sentence, and whether each is about what the claim says. */
function clausesOn(claim: Statement, { clauses }: Statement, isMain: boolean): Near {
  const counted = clauses.map((clause) => {
    const content = clause.tokens.filter(({ isContent, isValue }) => isContent || isValue)
    const shared = content.filter((token) => hasWord(claim.tokens, token)).length
    return { ...clause, length: content.length, shared }
  })
  const most = Math.max(...counted.map(({ shared }) => shared))
  const isAll = isMain && clauses.length === 1
  return counted.map((one) => ({
    ...one,
    isShared: isAll || (one.shared > 0 && one.shared * 2 >= Math.max(one.length, most)),
  }))
}

/** A clause that is shared, or beside one that is. */
const beside = (clauses: Near): Near =>
  clauses.filter((one, at) => one.isShared || clauses[at - 1]?.isShared || clauses[at + 1]?.isShared)

const notsIn = (lower: string, { words, notOnly }: Language): string[] =>
  findAll(words.not, lower.replace(notOnly, ' ').replace(words.less, ' '))

/** What is excepted, behind the word or in some languages before it, is what the claim is about. */
const isTold = ({ lower, tokens }: Near[number], claim: Statement, { language }: Statement): boolean => {
  const word = findAll(language.words.except, lower)[0] ?? ''
  const [before = '', after = ''] = lower.split(word, 2)
  const part = /tr|ja|ko/.test(language.code) ? before : after
  const last = tokens.filter((one) => one.isContent && part.includes(one.word.toLowerCase())).slice(-2)
  return last.length > 0 && last.every((token) => hasWord(claim.tokens, token))
}

/** As `redFlags`, of texts. */
export function flagsBetween(
  claim: string,
  sentences: readonly string[],
  around: readonly string[] = [],
): string[] {
  const language = languageOf([...sentences, ...around].join(' '))
  const read = (text: string) => readStatement(text, language)
  return redFlags(read(claim), { sentences: sentences.map(read), around: () => around.map(read) }).reasons
}
