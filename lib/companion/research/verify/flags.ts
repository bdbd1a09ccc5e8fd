// Red flags: differences between a claim and the sentences it rests on that code can see, and that no judge overrules.
// That nothing is flagged says nothing: opposites ("enabled", "disabled") are for the judge alone.

import { isOtherValue, isSameValue, type Value } from '../../../core/text/words/values.ts'
import { type Language, languageOf } from './languages.ts'
import {
  type Basis,
  type Clause,
  coverage,
  findAll,
  isSame,
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
  const entities = [...valueFlags(pair), ...nameFlags(pair)]
  const turned = turnedFlags(claim, main)
  return {
    reasons: [...entities, ...turned, ...wordFlags({ ...pair, sentences: within(minSame) })],
    entities: { missing: Math.min(of, entities.length), of },
    isTurned: turned.length > 0,
  }
}

const maxNear = 4
/** Of a name or value, and of what is said: the share that a sentence has of what the closest one has. */
const minClose = 0.4
const minSame = 0.75

/** How much of a claim a sentence has. Names count least: whose sentence it is shows in what is said. */
export function closeness(claim: Statement, sentence: Statement): number {
  const has = ({ bare }: Token) => sentence.tokens.some((token) => isSame(bare, token.bare))
  const shared = claim.tokens.filter((token) => (token.isContent || token.isValue) && has(token))
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
  value.month > 0 &&
  value.year > 0 &&
  here.some((one) => one.year === 0 && isSameValue({ ...value, year: 0 }, one)) &&
  [...here, ...around().flatMap(({ values }) => values)].some(({ year }) => year === value.year)

function nameFlags({ claim, main, sentences, around }: Pair): string[] {
  // Cities and people are called otherwise in another language.
  if (claim.language !== main.language) return []
  const names = namesOf(claim, main)
  const isIn = ({ bare, word }: Token, statements: readonly Statement[]) =>
    statements.some(({ tokens }) => tokens.some((token) => isSame(bare, token.bare))) ||
    holdsInitials(word, claim, statements)
  const missing = names.filter((name) => !isIn(name, sentences) && !isIn(name, around()))
  if (missing.length > 0) return [`“${missing.map(({ word }) => word).join(' ')}” is not in the passage`]
  return names.flatMap((name) => {
    const other = inPlaceOf(name, claim, main)
    return other ? [`says ${name.word}, the passage ${other.word}`] : []
  })
}

/** Tokens with a capital letter that mean something; where every noun has one, those that stand as names do. */
function namesOf(claim: Statement, main: Statement): Token[] {
  const { tokens, language } = claim
  return tokens.filter((token, at) => {
    if (!token.isCapital || !token.isContent || isClassWord(token, language)) return false
    const isBesideName = [tokens[at - 1], tokens[at + 1]].some((next) => next?.isCapital && next.isContent)
    if (at === 0) return isBesideName || (coverage(claim, main) >= 0.6 && namedOnlyIn(main, claim).length > 0)
    if (language.code !== 'de') return true
    return isBesideName || /^(?:in|von|bei|aus|nach|durch|mit)$/i.test(tokens[at - 1]!.word)
  })
}

const isClassWord = ({ word }: Token, { words }: Language): boolean =>
  Object.values(words).some((each) => findAll(each, word.toLowerCase()).length > 0)

const namedOnlyIn = ({ tokens }: Statement, other: Statement): Token[] =>
  tokens.filter(
    ({ isCapital, isContent, bare }) =>
      isCapital && isContent && !other.tokens.some((token) => isSame(bare, token.bare)),
  )

/** "WHO" for "World Health Organization", and the other way round. */
function holdsInitials(word: string, claim: Statement, statements: readonly Statement[]): boolean {
  const isAcronym = /^\p{Lu}{2,8}$/u.test(word)
  const initialsOf = ({ tokens }: Statement) =>
    tokens
      .map(({ word: one, isCapital }) => (isCapital ? one[0] : ' '))
      .join('')
      .replace(/(?<=\S) (?=\S)/g, '')
  if (isAcronym) return statements.some((one) => initialsOf(one).includes(word))
  const own = initialsOf(claim)
  return statements.some(({ tokens }) =>
    tokens.some(({ word: one }) => /^\p{Lu}{2,8}$/u.test(one) && own.includes(one)),
  )
}

/** Another name that the sentence has between the same words, where the claim's is somewhere else in the passage. */
function inPlaceOf(name: Token, claim: Statement, main: Statement): Token | undefined {
  if (main.tokens.some(({ bare }) => isSame(bare, name.bare)) || coverage(claim, main) < 0.6) return undefined
  const at = claim.tokens.indexOf(name)
  const placeOf = ({ bare, isContent }: Token) =>
    isContent ? main.tokens.findIndex((token) => isSame(bare, token.bare)) : -1
  const before =
    claim.tokens
      .slice(0, at)
      .map(placeOf)
      .findLast((place) => place >= 0) ?? -1
  const after =
    claim.tokens
      .slice(at + 1)
      .map(placeOf)
      .find((place) => place >= 0) ?? main.tokens.length
  if (after - before > maxBetween) return undefined
  const others = namedOnlyIn(main, claim)
  return others.find((one) => main.tokens.indexOf(one) > before && main.tokens.indexOf(one) < after)
}

const maxBetween = 5

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
  const grown = (name: Class, instead: readonly string[]) => {
    const found = says(name).filter((word) => !says('not').includes(word))
    if (found.length > 0 && instead.length === 0) flags.push(`says “${found[0]}”, the passage does not`)
  }

  const shared = (clauses: Near) => clauses.filter(({ isShared }) => isShared)
  dropped(inClauses('not', shared), says('not', 'denial', 'except'))
  if (whole('not', 'denial', 'except').length === 0) {
    const found = claim.clauses.flatMap(({ lower }) => notsIn(lower, claim.language))
    if (found.length > 0) flags.push(`says “${found[0]}”, the passage does not`)
  }
  dropped(
    inClauses('except', (clauses) => beside(clauses).filter((one) => !isTold(one, claim))),
    says('except', 'only', 'some', 'part', 'not'),
  )
  dropped(inClauses('doubt', attached), says('doubt', 'maybe', 'if', 'denial'))
  dropped(inClauses('if', beside), says('if', 'when', 'except', 'only', 'doubt'))
  grown('all', whole('all'))
  grown('only', whole('only', 'except'))
  grown('most', whole('most'))
  if (says('most').length > 0 && says('among').length === 0 && wordsOf(main, 'most').length > 0)
    dropped(wordsOf(main, 'among'), [])
  dropped(inClauses('some', shared), says('some', 'part', 'doubt', 'among'))
  return [...flags, ...comparedFlags(claim, main)]
}

type Near = readonly (Clause & { length: number; isShared: boolean })[]

/** The clauses of a sentence, and whether each is about what the claim says. */
function clausesOn(claim: Statement, { clauses }: Statement, isMain: boolean): Near {
  return clauses.map((clause) => {
    const content = clause.tokens.filter(({ isContent, isValue }) => isContent || isValue)
    const shared = content.filter((token) => claim.tokens.some(({ bare }) => isSame(bare, token.bare))).length
    const isAll = isMain && clauses.length === 1
    return {
      ...clause,
      length: content.length,
      isShared: isAll || (shared > 0 && shared * 2 >= content.length),
    }
  })
}

/** A clause that is shared, or beside one that is. */
const beside = (clauses: Near): Near =>
  clauses.filter((one, at) => one.isShared || clauses[at - 1]?.isShared || clauses[at + 1]?.isShared)

/** A short clause, and one that opens the sentence, belong to the next: "According to the police, …". */
const attached = (clauses: Near): Near =>
  clauses.filter(
    (one, at) =>
      one.isShared ||
      (one.length <= 3 && clauses[at - 1]?.isShared) ||
      ((one.length <= 3 || at === 0) && clauses[at + 1]?.isShared),
  )

const notsIn = (lower: string, { words, notOnly }: Language): string[] =>
  findAll(words.not, lower.replace(notOnly, ' '))

/** What is excepted is what the claim is about. */
const isTold = ({ tokens }: Near[number], claim: Statement): boolean => {
  const last = tokens.filter(({ isContent }) => isContent).slice(-2)
  return last.length > 0 && last.every((token) => claim.tokens.some(({ bare }) => isSame(bare, token.bare)))
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
