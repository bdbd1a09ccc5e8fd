// The properties of a page as data: each with its type, and with what it is compared and sorted by. How much is taken
// is bounded; how the YAML is read safely stands in parse-yaml.ts.

import { cleanLine } from '../clean.ts'
import { splitFrontMatter } from '../markdown.ts'
import { normalizeName } from '../normalize-name.ts'
import { type PropertyValue, propertyValues } from './read-properties.ts'

export const propertyTypes = ['text', 'number', 'checkbox', 'date', 'list', 'link'] as const
type PropertyType = (typeof propertyTypes)[number]

export type Scalar = string | number | boolean

export type TypedProperty = {
  /** As it is written. */
  name: string
  type: PropertyType
  value: Scalar | Scalar[] | null
  /** Its value, or each of a list, in the form in which they are compared. None: it is empty. */
  keys: string[]
  /** Of a number. */
  n: number | null
  /** What it is sorted by among texts. */
  s: string
}

const maxProperties = 100
const maxItems = 200
const maxCharacters = 1000

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const date = new RegExp(
  String.raw`^${day}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$`,
)
const link = /^\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|[^[\]]*)?\]\]$/

/** The properties in the front matter of a text, by `propertyKey` of their names; of two of one name the last. */
export function typedProperties(text: string): Map<string, TypedProperty> {
  const found = new Map<string, TypedProperty>()
  for (const { name, value } of propertyValues(splitFrontMatter(text).yaml)) {
    const key = propertyKey(name)
    if (key === '' || key.startsWith('file.')) continue
    if (found.size < maxProperties || found.has(key)) found.set(key, typedProperty(name, value))
  }
  return found
}

/** A property of a value as it is read from YAML. */
export function typedProperty(name: string, value: PropertyValue): TypedProperty {
  const shown = cleanLine(name).slice(0, maxCharacters)
  if (Array.isArray(value)) {
    const items = value
      .slice(0, maxItems)
      .map(bound)
      .filter((item) => item !== '')
    const keys = items.map(scalarKey)
    return { name: shown, type: 'list', value: items, keys, n: null, s: sortText(keys.join(', ')) }
  }
  const one = value === null ? null : bound(value)
  const isEmpty = one === null || one === ''
  const keys = isEmpty ? [] : [scalarKey(one)]
  const n = typeof one === 'number' && Number.isFinite(one) ? one : null
  return { name: shown, type: typeOf(one), value: isEmpty ? null : one, keys, n, s: sortText(keys[0] ?? '') }
}

/** The form in which names of properties are compared. */
export const propertyKey = (name: string): string => normalizeName(name).slice(0, 200)

/** The form in which values are compared; a link is the last part of the name that it leads to. */
export function scalarKey(value: Scalar): string {
  const text = String(value).slice(0, maxCharacters)
  const target = link.exec(text.trim())?.[1]
  if (target === undefined) return cleanLine(text).normalize('NFKC').toLowerCase()
  return linkKey(target)
}

/** The form in which the names that links lead to are compared. */
export function linkKey(name: string): string {
  const whole = normalizeName(name.slice(0, maxCharacters))
  return whole.slice(whole.lastIndexOf('/') + 1)
}

export const isDay = (text: string): boolean => text.length === 10 && date.test(text)
export const isDate = (text: string): boolean => text.length <= 40 && date.test(text)
export const isLink = (text: string): boolean => text.length <= maxCharacters && link.test(text)

function typeOf(value: Scalar | null): PropertyType {
  if (typeof value === 'boolean') return 'checkbox'
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : 'text'
  if (typeof value !== 'string') return 'text'
  if (isDate(value)) return 'date'
  return isLink(value) ? 'link' : 'text'
}

/** JSON holds neither what is not finite nor all that YAML may escape. */
function bound(value: Scalar): Scalar {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return typeof value === 'string' ? cleanLine(value.slice(0, maxCharacters)) : value
}

const sortText = (text: string): string => text.slice(0, maxCharacters)
