// What is wrong with an object that a model sent, in words it can act on, and the object corrected where there is only one
// way to do it.

import type { z } from 'zod'
import { parseUntrusted } from '../core/parse-untrusted.ts'
import { isRecord } from '../core/record.ts'
import { distanceFrom } from '../core/text/words/edit-distance.ts'

/** `corrected`: the whole object as it was probably meant, without what cannot be set; `null` where that takes a guess. */
export type Correction = { problems: string[]; corrected: Record<string, unknown> | null }

type Options = {
  /** Path of the object in the call, such as `payload`. Default: the call itself. */
  at?: string
  /** Wrong names that people and models use, with the field that they mean. */
  names?: Readonly<Record<string, string>>
  /** Wrong values, with the allowed value that they mean. */
  values?: Readonly<Record<string, string>>
  /** Known fields that cannot be set, with the reason. */
  refused?: Readonly<Record<string, string>>
  /** An object among the fields, with those of its fields that are often sent beside it. */
  within?: Within | undefined
}

export type Within = { name: string; fields: readonly string[] }

type Fields = Record<string, unknown>

const maxProblems = 10
const maxShown = 60
/** A correction may need another one, such as a text that becomes a list of allowed values. */
const maxPasses = 3

/** No problems: `value` fits `schema` and has no other fields. Fields that are not offered are known, but not named. */
export function correctFields(schema: z.ZodObject, value: Fields, options: Options = {}): Correction {
  const at = options.at ? `${options.at}.` : ''
  const shape: Record<string, z.ZodType> = schema.shape
  const offered = Object.keys(shape).filter((name) => shape[name]!.meta()?.offered !== false)
  const problems: string[] = []
  const corrected: Fields = { ...value }
  let isCertain = true

  for (const name of Object.keys(value).filter((each) => !Object.hasOwn(shape, each))) {
    delete corrected[name]
    const meant = meantName(name, offered, options.names)
    const reason = Object.hasOwn(options.refused ?? {}, name) ? options.refused?.[name] : undefined
    const inner = placeWithin(options.within, name, corrected)
    if (reason) {
      problems.push(`${at}${shown(name)}: ${reason}`)
    } else if (inner) {
      problems.push(`${at}${shown(name)}: not here; send it as ${inner.name}.${name}.`)
      corrected[inner.name] = { ...inner.value, [name]: value[name] }
    } else if (meant && !(meant in value)) {
      problems.push(`${at}${shown(name)}: unknown; the field is called ${meant}.`)
      corrected[meant] = value[name]
    } else {
      problems.push(
        `${at}${shown(name)}: unknown; leave it out${offered.length > 0 ? `, or use one of: ${offered.join(', ')}` : ''}.`,
      )
    }
  }
  // Nothing of the call would be left, though there are fields to send.
  if (Object.keys(corrected).length === 0 && Object.keys(value).length > 0 && offered.length > 0)
    isCertain = false

  for (let pass = 0; isCertain || pass === 0; pass += 1) {
    const parsed = parseUntrusted(schema, corrected)
    if (parsed.success) break
    if (pass === maxPasses) isCertain = false
    for (const issue of pass < maxPasses ? parsed.error.issues : []) {
      const { text, fix } = explain(issue, corrected, options.values)
      const place = issue.path.join('.') || 'call'
      // What a correction has brought to light, beside what it was made for.
      if (pass === 0 || fix === undefined) problems.push(`${at}${place}: ${text}`)
      if (fix === undefined) isCertain = false
      else assign(corrected, issue.path, fix)
    }
  }
  return { problems: problems.slice(0, maxProblems), corrected: isCertain ? corrected : null }
}

/** The object that this name is a field of, as far as it was sent; `null` if that has such a field already. */
function placeWithin(
  within: Within | undefined,
  name: string,
  fields: Fields,
): { name: string; value: Fields } | null {
  if (!within?.fields.includes(name)) return null
  const value = fields[within.name] ?? {}
  return isRecord(value) && !Object.hasOwn(value, name) ? { name: within.name, value } : null
}

/** The known name that a wrong one stands for: by a list, in another spelling, or with a typing error. */
function meantName(
  name: string,
  known: readonly string[],
  names: Readonly<Record<string, string>> = {},
): string | null {
  const listed = Object.hasOwn(names, name) ? names[name] : undefined
  if (listed && known.includes(listed)) return listed
  const key = keyOf(name)
  const same = known.filter((each) => keyOf(each) === key)
  if (same.length === 1) return same[0]!
  if (key.length < 4 || key.length > 40) return null
  const distance = distanceFrom(key, 1)
  const near = known.filter((each) => distance(keyOf(each)) <= 1)
  return near.length === 1 ? near[0]! : null
}

const keyOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const shown = (name: string) => (name.length <= maxShown ? name : `${name.slice(0, maxShown)}…`)

type Explained = { text: string; fix?: unknown }

function explain(issue: z.core.$ZodIssue, value: Fields, values: Options['values'] = {}): Explained {
  const sent = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], value)
  switch (issue.code) {
    case 'invalid_value': {
      const text = `${said(sent)} is not allowed. Use one of: ${issue.values.join(', ')}.`
      const known = issue.values.filter((each) => typeof each === 'string')
      if (Array.isArray(sent) && sent.length === 1) return { text, fix: sent[0] }
      const meant = typeof sent === 'string' ? meantName(sent.trim(), known, lowered(values, sent)) : null
      return meant
        ? { text, fix: meant }
        : sent === undefined
          ? { text: `is missing. Use one of: ${known.join(', ')}.` }
          : { text }
    }
    case 'invalid_type':
      if (sent === undefined) return { text: 'is missing.' }
      return withFix(`must be ${article(issue.expected)}, not ${said(sent)}.`, asType(sent, issue.expected))
    case 'invalid_format':
      if (issue.format === 'uuid')
        return withFix(`${said(sent)} is not an id. Ids are returned by search, list and read.`, idIn(sent))
      if (issue.format === 'date')
        return withFix(`${said(sent)} is not a date. Write it as YYYY-MM-DD.`, dateIn(sent))
      return { text: `${said(sent)}: ${issue.message}.` }
    case 'too_small':
      return { text: boundText(issue.origin, { atLeast: Number(issue.minimum) }, sent) }
    case 'too_big':
      return { text: boundText(issue.origin, { atMost: Number(issue.maximum) }, sent) }
    default:
      return { text: `${issue.message}.`.replace('..', '.') }
  }
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

type Bound = { atLeast: number } | { atMost: number }

/** A bound that was broken, such as `must have at most 1,000 characters, not 1,200.` */
function boundText(origin: string, bound: Bound, sent: unknown): string {
  const [limit, words] =
    'atLeast' in bound ? [bound.atLeast, 'at least'] : ([bound.atMost, 'at most'] as const)
  const unit = Object.hasOwn(units, origin) ? units[origin] : undefined
  if (!unit) return `must be ${words} ${inWords(limit)}, not ${said(sent)}.`
  const length = typeof sent === 'string' || Array.isArray(sent) ? sent.length : 0
  if (limit === 1 && length === 0) return 'must not be empty.'
  return `must have ${words} ${inWords(limit)} ${unit}${limit === 1 ? '' : 's'}, not ${inWords(length)}.`
}

const inWords = (number: number) => number.toLocaleString('en-US')

const lowered = (values: Readonly<Record<string, string>>, sent: string) => {
  const meant =
    values[
      sent
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    ]
  return meant ? { [sent.trim()]: meant } : {}
}

const withFix = (text: string, fix: unknown): Explained => (fix === undefined ? { text } : { text, fix })

const article = (type: string) =>
  type === 'record' ? 'an object' : /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`

const said = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'nothing'
  return json.length <= maxShown ? json : `${json.slice(0, maxShown).toWellFormed()}…`
}

function asType(value: unknown, type: string): unknown {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if ((type === 'number' || type === 'int') && typeof value === 'string' && /^-?\d{1,9}$/.test(value))
    return Number(value)
  if (type === 'string' && typeof value === 'number') return String(value)
  if (type === 'array') return listOf(value)
  if ((type === 'record' || type === 'object') && typeof value === 'string') {
    const object = jsonIn(value)
    return isRecord(object) ? { ...object } : undefined
  }
  return undefined
}

/** A list sent as a text, as JSON or with commas, or one item of it sent alone. */
function listOf(value: unknown): unknown[] | undefined {
  if (isRecord(value)) return [value]
  if (typeof value !== 'string') return undefined
  const list = jsonIn(value)
  if (Array.isArray(list)) return list
  if (isRecord(list)) return [list]
  if (/^\s*[[{]/.test(value)) return undefined
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** The one id in a source such as `void://page/0190…#3`. */
function idIn(value: unknown): string | undefined {
  const ids =
    typeof value === 'string' && value.length <= 200 ? new Set(value.match(uuid)) : new Set<string>()
  return ids.size === 1 ? [...ids][0] : undefined
}

/** A date in another form that cannot be read in two ways. */
function dateIn(value: unknown): string | undefined {
  const [, year, month, day] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T.{0,40})?$/.exec(String(value).slice(0, 60)) ?? []
  return year && month && day ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : undefined
}

/** Sets a value that is there, at a path of any depth, without changing what it was copied from. */
function assign(fields: Fields, path: readonly PropertyKey[], value: unknown): void {
  const [first, ...rest] = path
  if (first === undefined) return
  const key = String(first)
  if (rest.length === 0) fields[key] = value
  else {
    const inner = fields[key]
    const copy = Array.isArray(inner) ? [...inner] : { ...Object(inner) }
    assign(copy, rest, value)
    fields[key] = copy
  }
}
