// Numbers, amounts, dates and ordinals among the words of a sentence, with their units, as values that are the same or
// not, however they are written.

import { monthNumbers, multipliers, numberWords, ordinalWords, unitNames } from './words/units.ts'

export type Value = {
  kind: 'number' | 'date' | 'ordinal'
  /** Of a number: the amount. Of an ordinal: the place. Of a date: its year, or 0. */
  amount: number
  month: number
  day: number
  /** Of a number: its unit, or ''. A date in decades has 'decade'. */
  unit: string
  /** The words that it spans, from 0; `to` exclusive. */
  from: number
  to: number
  /** As written, for reasons. */
  text: string
}

/** Reads words as `casedWords` gives them. */
export function valuesIn(words: readonly string[]): Value[] {
  const lower = words.map((word) => word.toLowerCase())
  const values: Value[] = []
  let at = 0
  while (at < words.length) {
    if (!mayBegin(words[at]!, lower[at]!)) {
      at += 1
      continue
    }
    const value = dateAt(words, lower, at) ?? numberAt(lower, at) ?? ordinalAt(lower, at)
    if (value) values.push({ ...value, text: words.slice(value.from, value.to).join(' ') })
    at = value ? Math.max(value.to, at + 1) : at + 1
  }
  return values
}

/** Most words begin no value. */
const mayBegin = (word: string, lower: string): boolean =>
  !/^[a-z]/.test(word) || numberWords.has(lower) || ordinalWords.has(lower) || multipliers.has(lower)

type Found = Omit<Value, 'text'>

const isYear = (word: string | undefined): boolean => /^(?:1\d|20)\d\d$/.test(word ?? '')
const isDay = (word: string | undefined): boolean => /^(?:0?[1-9]|[12]\d|3[01])$/.test(word ?? '')
const ordinalEndings: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th'])

/** A month is one with a number beside it, or a capital letter: "may" and "march" are words, too. */
const monthAt = (words: readonly string[], at: number): number =>
  /^\p{Lu}/u.test(words[at] ?? '') ? (monthNumbers.get(words[at]!.toLowerCase()) ?? 0) : 0

function dateAt(words: readonly string[], lower: readonly string[], at: number): Found | null {
  const make = (to: number, year: number, month = 0, day = 0, unit = ''): Found => ({
    kind: 'date',
    amount: year,
    month,
    day,
    unit,
    from: at,
    to,
  })
  // 2009 01 20: an ISO date without its hyphens, which reads as negative numbers.
  const parts = lower.slice(at, at + 3).map((word) => word.replace(/^[-−–]/, ''))
  if (
    isYear(lower[at]) &&
    /^(?:0[1-9]|1[0-2])$/.test(parts[1] ?? '') &&
    /^(?:[0-2]\d|3[01])$/.test(parts[2] ?? '')
  )
    return make(at + 3, Number(parts[0]), Number(parts[1]), Number(parts[2]))

  const month = monthAt(words, at)
  if (month > 0) {
    const next = isDay(lower[at + 1]) ? at + 2 : at + 1
    const day = next > at + 1 ? Number(lower[at + 1]) : 0
    const after = ordinalEndings.has(lower[next] ?? '') && day > 0 ? next + 1 : next
    if (isYear(lower[after])) return make(after + 1, Number(lower[after]), month, day)
    return day > 0 || words[at]!.length > 3 ? make(after, 0, month, day) : null
  }
  if (isDay(lower[at])) {
    let next = ordinalEndings.has(lower[at + 1] ?? '') ? at + 2 : at + 1
    if (lower[next] === 'of') next += 1
    const named = monthAt(words, next)
    if (named > 0) {
      const year = isYear(lower[next + 1])
      return make(next + (year ? 2 : 1), year ? Number(lower[next + 1]) : 0, named, Number(lower[at]))
    }
  }
  if (!isYear(lower[at])) return null
  if (lower[at + 1] === 's') return make(at + 2, Number(lower[at]), 0, 0, 'decade')
  const follows = lower[at + 1] ?? ''
  return unitNames.has(follows) || isCurrency(lower[at - 1]) ? null : make(at + 1, Number(lower[at]))
}

function numberAt(lower: readonly string[], at: number): Found | null {
  const word = lower[at]!
  const digits = /^[-−–]?\p{N}/u.test(word)
  // "one" is a pronoun more often than a number.
  const spelled = word === 'one' ? undefined : numberWords.get(word)
  if (!digits && spelled === undefined && !isWrittenMultiplier(word)) return null
  const clock = /^(\d{1,2}):(\d\d)(?::\d\d)?$/.exec(word)
  if (clock)
    return { ...blank, amount: Number(clock[1]) * 60 + Number(clock[2]), unit: 'clock', from: at, to: at + 1 }
  let amount = digits ? parseNumber(word) : (spelled ?? 1)
  if (Number.isNaN(amount)) return null
  let to = digits || spelled !== undefined ? at + 1 : at
  if (!digits && spelled !== undefined && spelled >= 20 && (numberWords.get(lower[to] ?? '') ?? 10) < 10) {
    amount += numberWords.get(lower[to]!)!
    to += 1
  }
  if (digits && ordinalEndings.has(lower[to] ?? ''))
    return { kind: 'ordinal', amount, month: 0, day: 0, unit: '', from: at, to: to + 1 }
  while (multipliers.has(lower[to] ?? '')) {
    amount *= multipliers.get(lower[to]!)!
    to += 1
  }
  const before = isCurrency(lower[at - 1]) ? unitNames.get(lower[at - 1]!) : undefined
  const unit = before ?? unitAfter(lower, to) ?? ''
  if (unit !== '' && !before) to += unitLength(lower, to)
  const rate = unit === '' ? undefined : rateAfter(lower, to)
  return {
    ...blank,
    amount,
    unit: rate ? `${unit}/${rate}` : unit,
    from: before ? at - 1 : at,
    to: rate ? to + 2 : to,
  }
}

const blank = { kind: 'number', month: 0, day: 0 } as const

/** "per month", "a month": twelve a month is another amount than twelve a year. */
const rateAfter = (lower: readonly string[], at: number): string | undefined =>
  /^(?:per|a|an|each|every|pro)$/.test(lower[at] ?? '') && lower[at + 1] !== 'cent'
    ? unitNames.get(lower[at + 1] ?? '')
    : undefined

const isWrittenMultiplier = (word: string): boolean => word.length > 4 && multipliers.has(word)
const isCurrency = (word: string | undefined): boolean => /^\p{Sc}$/u.test(word ?? '')

/** "3 per cent" and "3 square miles" have a unit, too. */
function unitAfter(lower: readonly string[], at: number): string | undefined {
  if (lower[at] === 'per' && lower[at + 1] === 'cent') return '%'
  const square = lower[at] === 'square' || lower[at] === 'sq' || lower[at] === 'cubic'
  const unit = unitNames.get(lower[square ? at + 1 : at] ?? '')
  return unit && square ? `${lower[at] === 'cubic' ? 'cubic' : 'square'} ${unit}` : unit
}

const unitLength = (lower: readonly string[], at: number): number => (unitNames.has(lower[at] ?? '') ? 1 : 2)

function ordinalAt(lower: readonly string[], at: number): Found | null {
  const place = ordinalWords.get(lower[at]!)
  return place === undefined
    ? null
    : { kind: 'ordinal', amount: place, month: 0, day: 0, unit: '', from: at, to: at + 1 }
}

/** Commas and points between groups of three are no decimals where there are two of them, or a comma alone. */
function parseNumber(word: string): number {
  const sign = /^[-−]/.test(word) ? -1 : 1
  const plain = word.replace(/^[-−–]/, '')
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)
  if (grouped) return sign * Number(plain.replaceAll(',', ''))
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(plain))
    return sign * Number(plain.replaceAll('.', '').replace(',', '.'))
  if (/^\d+,\d{1,2}$/.test(plain)) return sign * Number(plain.replace(',', '.'))
  return sign * Number(plain.replace(/^(\d+):.*$/, '$1'))
}

/** Whether the evidence says at least as exactly what the claim says. */
export function isSameValue(claimed: Value, found: Value): boolean {
  if (claimed.kind !== found.kind) return isNumberAsYear(claimed, found)
  if (claimed.kind === 'number')
    return (
      claimed.amount === found.amount &&
      (claimed.unit === '' || `${found.unit}/`.startsWith(`${claimed.unit}/`))
    )
  if (claimed.kind === 'ordinal') return claimed.amount === found.amount
  if (claimed.unit === 'decade')
    return (
      found.amount === claimed.amount ||
      (found.unit === '' && Math.floor(found.amount / 10) * 10 === claimed.amount)
    )
  return (
    found.unit === '' &&
    (claimed.amount === 0 || claimed.amount === found.amount) &&
    (claimed.month === 0 || claimed.month === found.month) &&
    (claimed.day === 0 || claimed.day === found.day)
  )
}

/** "2,000 people" is written "2000 people" elsewhere, which reads as a year. */
const isNumberAsYear = (one: Value, other: Value): boolean =>
  one.amount === other.amount &&
  [one, other].every(
    ({ kind, unit, month }) =>
      (kind === 'number' && unit === '') || (kind === 'date' && month === 0 && unit === ''),
  )

/** Whether both can't be true of one thing: of one kind and unit, and different where both say it. */
export function isOtherValue(one: Value, other: Value): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind !== 'date') return one.unit === other.unit && one.amount !== other.amount
  if (one.unit !== '' || other.unit !== '') return false
  const differs = (a: number, b: number) => a !== 0 && b !== 0 && a !== b
  return differs(one.amount, other.amount) || differs(one.month, other.month) || differs(one.day, other.day)
}
