// Numbers, amounts, dates and times among the words of a sentence, with their units, as values that are the same or not,
// however they are written: "£2.5m" and "2.5 million pounds", "14:30" and "2:30 pm", "3. Mai 1998" and "3 May 1998".

import { hours, months, multipliers, numberWords, ordinals, unitOf } from './value-words.ts'

export type Value = {
  kind: 'number' | 'date' | 'ordinal' | 'time'
  /** Of a number what it may mean ("1.234" is two numbers), of an ordinal its place, of a time minutes of the day. */
  amounts: readonly number[]
  /** Of a date, what it names; 0 for what it does not. */
  year: number
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

/** Reads words as `casedWords` gives them. Takes time in proportion to their number. */
export function valuesIn(words: readonly string[]): Value[] {
  const lower = words.map((word) => latinDigits(word.toLowerCase()))
  const values: Value[] = []
  let at = 0
  while (at < words.length) {
    const value = readAt({ words, lower, at })
    if (value) values.push({ ...value, text: words.slice(value.from, value.to).join(' ') })
    at = value ? Math.max(value.to, at + 1) : at + 1
  }
  return values
}

type Place = { words: readonly string[]; lower: readonly string[]; at: number }
type Found = Omit<Value, 'text'>

function readAt(place: Place): Found | null {
  const word = place.lower[place.at]!
  if (/\p{N}/u.test(word)) return dateAt(place) ?? timeAt(place) ?? numberAt(place)
  return dateAt(place) ?? numberAt(place) ?? wordAt(place)
}

const none = { amounts: [], year: 0, month: 0, day: 0, unit: '' } as const

/** Digits of other scripts as those of ours; decimal digits come in tens. */
const latinDigits = (word: string): string =>
  word.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) =>
    String(digit.charCodeAt(0) & 15).replace('15', '9'),
  )

const isYear = (word = ''): boolean => /^(?:1\d|20)\d\d$/.test(word)
const isDay = (word = ''): boolean => /^(?:0?[1-9]|[12]\d|3[01])$/.test(word)
const ordinalEnding = /^(?:st|nd|rd|th|er|ère|ème|º|ª|te|ter|ten|de)$/

/** Alone a month is long, and no word of another meaning ("Jan Kowal"); beside a number it is one in any case. */
function monthAt({ words, lower, at }: Place, isBesideNumber: boolean): number {
  const month = months.get(lower[at] ?? '') ?? 0
  if (month === 0 || isBesideNumber) return month
  if (lower[at] === 'jan' && /^\p{Lu}/u.test(words[at + 1] ?? '')) return 0
  const isPlain = lower[at]!.length > 4 && !/^mar(?:ch|ts)$/.test(lower[at]!)
  return isPlain || (/^\p{Lu}/u.test(words[at]!) && lower[at]!.length > 2 && at > 0) ? month : 0
}

function dateAt(place: Place): Found | null {
  const { lower, at } = place
  const make = (to: number, year: number, month = 0, day = 0, unit = ''): Found => ({
    ...none,
    ...{ kind: 'date', year, month, day, unit, from: at, to },
  })
  const written =
    /^(\d{4})[-.](\d\d)[-.](\d\d)$/.exec(lower[at]!) ?? /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(lower[at]!)
  if (written) {
    const [first, month, last] = written.slice(1).map(Number)
    return first! > 31 ? make(at + 1, first!, month, last) : make(at + 1, last!, month, first)
  }
  // 2009 -01 -20: an ISO date reads as negative numbers.
  const [, mm = '', dd = ''] = lower.slice(at, at + 3).map((word) => word.replace(/^[-−–]/, ''))
  if (isYear(lower[at]) && /^(?:0[1-9]|1[0-2])$/.test(mm) && /^(?:[0-2]\d|3[01])$/.test(dd))
    return make(at + 3, Number(lower[at]), Number(mm), Number(dd))

  const unspaced = unspacedDate(place, make)
  if (unspaced) return unspaced
  const isBeside = isDay(lower[at + 1]) || isYear(lower[at + 1])
  const month = monthAt(place, isBeside)
  if (month > 0) {
    const day = isDay(lower[at + 1]) ? Number(lower[at + 1]) : 0
    let next = day > 0 ? at + 2 : at + 1
    if (day > 0 && ordinalEnding.test(lower[next] ?? '')) next += 1
    if (/^(?:de|del|of)$/.test(lower[next] ?? '') && isYear(lower[next + 1])) next += 1
    return isYear(lower[next]) ? make(next + 1, Number(lower[next]), month, day) : make(next, 0, month, day)
  }
  if (isDay(lower[at])) {
    let next =
      ordinalEnding.test(lower[at + 1] ?? '') && monthAt({ ...place, at: at + 1 }, true) === 0
        ? at + 2
        : at + 1
    if (/^(?:of|de)$/.test(lower[next] ?? '')) next += 1
    const named = monthAt({ ...place, at: next }, true)
    if (named > 0) {
      const year = /^(?:de|del)$/.test(lower[next + 1] ?? '') ? next + 2 : next + 1
      const has = isYear(lower[year])
      return make(has ? year + 1 : next + 1, has ? Number(lower[year]) : 0, named, Number(lower[at]))
    }
  }
  if (!isYear(lower[at])) return null
  if (lower[at + 1] === 's' || lower[at + 1] === 'er') return make(at + 2, Number(lower[at]), 0, 0, 'decade')
  const unit = unitAt(lower, at + 1)
  if (unit?.unit === 'year') return make(unit.to, Number(lower[at]))
  const follows = unit !== null || multipliers.has(lower[at + 1] ?? '')
  return follows || isCurrency(lower[at - 1]) ? null : make(at + 1, Number(lower[at]))
}

/** 2023年5月3日, 5월 3일. */
function unspacedDate(
  { lower, at }: Place,
  make: (to: number, year: number, month?: number, day?: number) => Found,
): Found | null {
  const parts: [number, number, number] = [0, 0, 0]
  let to = at
  for (const [part, sign] of [/^[年년]/u, /^[月월]/u, /^[日号일]/u].entries())
    if (/^\d{1,4}$/.test(lower[to] ?? '') && sign.test(lower[to + 1] ?? '')) {
      parts[part] = Number(lower[to])
      to += 2
    }
  return to > at && (parts[0]! > 999 || parts[1]! > 0) ? make(to, parts[0]!, parts[1], parts[2]) : null
}

const pm = /^(?:pm|p|下午|午後|오후)$/
const am = /^(?:am|a|上午|午前|오전)$/
const hourSign = /^(?:h|uhr|uur|heures?|時|时|点|點|시|ч|часов)$/

function timeAt({ lower, at }: Place): Found | null {
  const clock = /^(\d{1,2})[:.](\d\d)(?::\d\d)?$/.exec(lower[at]!)
  const hour = Number(clock ? clock[1] : /^\d{1,2}$/.exec(lower[at]!)?.[0])
  if (!(hour < 25)) return null
  let next = at + 1
  let minutes = Number(clock?.[2] ?? 0)
  const isWritten = lower[at]!.includes(':')
  let isTime = isWritten
  const marked = lower[next] === 'a' || lower[next] === 'p' ? lower[next + 1] === 'm' : true
  let half = marked && pm.test(lower[next] ?? '') ? 'pm' : marked && am.test(lower[next] ?? '') ? 'am' : ''
  if (half) next += /^[ap]$/.test(lower[next]!) ? 2 : 1
  const before = lower[at - 1] ?? ''
  for (const said of [before, `${lower[at - 2]}${before}`])
    if (/^\P{ASCII}/u.test(said)) half = pm.test(said) ? 'pm' : am.test(said) ? 'am' : half
  if (hourSign.test(lower[next] ?? '') && (clock || !isDuration(lower, at))) {
    isTime = true
    next += 1
    const rest = /^(\d\d?)분?$/.exec(lower[next] ?? '')
    if (!clock && rest && Number(rest[1]) < 60) {
      minutes = Number(rest[1])
      next += /^[分분]/.test(lower[next + 1] ?? '') ? 2 : 1
    }
  }
  if (/^(?:kl|klockan|klokken|saat)$/.test(before)) isTime = true
  if (!isTime && !half) return null
  const ofDay = (hour % 12) * 60 + minutes
  // "2:30" may be either, where nothing says which.
  const isOpen =
    !half &&
    isWritten &&
    hour > 0 &&
    hour < 12 &&
    !/^0/.test(lower[at]!) &&
    !hourSign.test(lower[at + 1] ?? '')
  const whole = (hour % 24) * 60 + minutes
  const amounts = half ? [ofDay + (half === 'pm' ? 720 : 0)] : isOpen ? [whole, whole + 720] : [whole]
  return { ...none, kind: 'time', amounts, from: at, to: next }
}

/** "8 h" is how long something takes, unless a word of time comes before. */
const isDuration = (lower: readonly string[], at: number): boolean =>
  /^(?:h|heures?|ч|часов)$/.test(lower[at + 1] ?? '') &&
  !/^(?:à|at|um|в|vers|dès|jusqu'à)$/.test(lower[at - 1] ?? '')

function numberAt({ lower, at }: Place): Found | null {
  const word = lower[at]!
  const isDigits = /\p{N}/u.test(word)
  const spelled = numberWords.get(word)
  if (!isDigits && spelled === undefined && !(word.length > 4 && multipliers.has(word))) return null
  let amounts = isDigits ? parseNumber(word) : [spelled ?? 1]
  if (amounts.length === 0) return null
  let to = isDigits || spelled !== undefined ? at + 1 : at
  if (!isDigits && (spelled ?? 0) >= 20 && (numberWords.get(lower[to] ?? '') ?? 10) < 10)
    amounts = [spelled! + numberWords.get(lower[to++]!)!]
  // 2 500 000, in groups of three.
  if (/^\d{1,3}$/.test(word) && word !== '0')
    while (/^\d{3}$/.test(lower[to] ?? '')) amounts = [amounts[0]! * 1000 + Number(lower[to++])]
  const from = isCurrency(lower[at - 1]) ? at - 1 : at
  if (isDigits && ordinalEnding.test(lower[to] ?? '') && !months.has(lower[to + 1] ?? ''))
    return { ...none, kind: 'ordinal', amounts, from: at, to: to + 1 }
  while (multipliers.has(lower[to] ?? '')) {
    const factor = multipliers.get(lower[to++]!)!
    amounts = amounts.map((amount) => amount * factor)
  }
  if (/^(?:de|d'|di)$/.test(lower[to] ?? '') && unitAt(lower, to + 1)) to += 1
  const before = from < at ? unitOf.get(lower[from]!) : undefined
  // "£2.5m" is millions, "310 m" metres, and "2.5m people" may be either.
  if (lower[to] === 'm')
    amounts = from < at ? amounts.map((one) => one * 1e6) : [...amounts, amounts[0]! * 1e6]
  if (lower[to] === 'm' && from < at) to += 1
  const after = before ? null : unitAt(lower, to)
  if (after) to = after.to
  const unit = before ?? after?.unit ?? ''
  const isRate = unit !== '' && /^(?:per|a|an|each|every|pro|par|por|al|om|i)$/.test(lower[to] ?? '')
  const rate = isRate ? unitAt(lower, to + 1) : null
  return {
    ...none,
    kind: 'number',
    amounts,
    unit: rate ? `${unit}/${rate.unit}` : unit,
    from,
    to: rate ? rate.to : to,
  }
}

function wordAt({ lower, at }: Place): Found | null {
  const time = hours.get(lower[at]!)
  if (time !== undefined) return { ...none, kind: 'time', amounts: [time], from: at, to: at + 1 }
  const place = ordinals.indexOf(lower[at]!)
  return place < 1 ? null : { ...none, kind: 'ordinal', amounts: [place], from: at, to: at + 1 }
}

const isCurrency = (word = ''): boolean => /^\p{Sc}$/u.test(word)

/** The unit that begins at a word; words of scripts without spaces are given letter by letter, or with an ending. */
function unitAt(lower: readonly string[], at: number): { unit: string; to: number } | null {
  if (/^(?:per|pour|por)$/.test(lower[at] ?? '') && /^cent[oi]?$|^ciento$/.test(lower[at + 1] ?? ''))
    return { unit: '%', to: at + 2 }
  if (/^(?:square|sq|cubic)$/.test(lower[at] ?? '')) {
    const inner = unitOf.get(lower[at + 1] ?? '')
    return inner ? { unit: `${lower[at] === 'cubic' ? 'cubic' : 'square'} ${inner}`, to: at + 2 } : null
  }
  for (const length of [4, 3, 2, 1]) {
    const unit = unitOf.get(lower.slice(at, at + length).join(''))
    if (unit && (length === 1 || /^\P{ASCII}/u.test(lower[at] ?? ''))) return { unit, to: at + length }
  }
  const korean = /^(시간|분|초|일|주|개월|년|원|달러|유로|킬로미터|미터|킬로그램|퍼센트|명|개|리터)/.exec(
    lower[at] ?? '',
  )?.[1]
  return korean ? { unit: unitOf.get(korean) ?? korean, to: at + 1 } : null
}

/** What a number may mean: "1.234" and "1,234" are read as they are in either half of the world. */
function parseNumber(word: string): number[] {
  const sign = /^[-−]/.test(word) ? -1 : 1
  const plain = word.replace(/^[-−–]/, '').replace(/[.,:]$/, '')
  const [first = '', ...rest] = plain.split(/[.,]/)
  const isGrouped =
    rest.length > 0 && /^\d{1,3}$/.test(first) && rest.slice(0, -1).every((part) => /^\d{3}$/.test(part))
  const readings =
    isGrouped && /^\d{3}$/.test(rest.at(-1)!)
      ? [plain.replace(/[.,]/g, ''), ...(rest.length === 1 ? [`${first}.${rest[0]}`] : [])]
      : rest.length > 0
        ? [`${[first, ...rest.slice(0, -1)].join('')}.${rest.at(-1)}`]
        : [plain.replace(/:.*$/, '')]
  return readings.map((text) => sign * Number(text)).filter((number) => !Number.isNaN(number))
}

/** Whether the evidence says at least as exactly what the claim says. */
export function isSameValue(claimed: Value, found: Value): boolean {
  if (claimed.kind !== found.kind) return isNumberAsYear(claimed, found) || isNumberAsYear(found, claimed)
  if (claimed.kind !== 'date')
    return (
      claimed.amounts.some((amount) => found.amounts.includes(amount)) &&
      (claimed.unit === '' || `${found.unit}/`.startsWith(`${claimed.unit}/`))
    )
  if (claimed.unit === 'decade')
    return (
      found.year === claimed.year || (found.unit === '' && Math.floor(found.year / 10) * 10 === claimed.year)
    )
  const fits = (one: number, other: number) => one === 0 || one === other
  return (
    found.unit === '' &&
    fits(claimed.year, found.year) &&
    fits(claimed.month, found.month) &&
    fits(claimed.day, found.day)
  )
}

/** "2,000 people" is written "2000 people" elsewhere, which reads as a year. */
const isNumberAsYear = (number: Value, date: Value): boolean =>
  number.kind === 'number' &&
  date.kind === 'date' &&
  date.month === 0 &&
  date.unit === '' &&
  number.unit === '' &&
  number.amounts.includes(date.year)

/** Whether both can't be true of one thing: of one kind and unit, and different where both say it. */
export function isOtherValue(one: Value, other: Value): boolean {
  if (one.kind !== other.kind || one.unit === 'decade' || other.unit === 'decade') return false
  if (one.kind !== 'date')
    return one.unit === other.unit && !one.amounts.some((amount) => other.amounts.includes(amount))
  const differs = (a: number, b: number) => a !== 0 && b !== 0 && a !== b
  return differs(one.year, other.year) || differs(one.month, other.month) || differs(one.day, other.day)
}
