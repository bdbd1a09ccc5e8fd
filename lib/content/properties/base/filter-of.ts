// What a filter of a `.base` file means for a list of pages. A part that is not understood is named and left out where
// the pages then are more than asked for, never fewer: a part of an `and`. An `or` or a `not` around it goes with it.

import type { Condition, PageFilter } from '../../../contract/space/pages.ts'
import { type Expression, parseExpression } from './expression.ts'
import { propertyOf } from './property-of.ts'

export type ReadFilter = {
  /** `null`: nothing of it is understood. */
  filter: PageFilter | null
  /** The expressions that are not, as they are written. */
  unsupported: string[]
}

const maxDepth = 8
const maxParts = 50

/** Reads `filters`: an expression, or `and`, `or`, `not` over a list of such. */
export function filterOf(written: unknown, depth = 0): ReadFilter {
  if (typeof written === 'string') {
    const parsed = parseExpression(written)
    const filter = parsed && meaningOf(parsed)
    return filter ? { filter, unsupported: [] } : { filter: null, unsupported: [shorten(written)] }
  }
  if (typeof written !== 'object' || written === null || Array.isArray(written) || depth > maxDepth)
    return unread(written)
  const [[kind, parts] = ['', null], ...others] = Object.entries(written)
  const list = Array.isArray(parts) ? parts : [parts]
  if (!['and', 'or', 'not'].includes(kind) || others.length > 0 || list.length > maxParts)
    return unread(written)

  const read = list.map((part) => filterOf(part, depth + 1))
  const unsupported = read.flatMap((part) => part.unsupported)
  const filters = read.flatMap(({ filter }) => filter ?? [])
  if (kind === 'and')
    return { filter: filters.length > 0 || unsupported.length === 0 ? { and: filters } : null, unsupported }
  if (unsupported.length > 0) return { filter: null, unsupported }
  return {
    filter: kind === 'or' ? { or: filters } : { not: filters.length === 1 ? filters[0]! : { or: filters } },
    unsupported,
  }
}

const unread = (written: unknown): ReadFilter => ({
  filter: null,
  unsupported: [shorten(JSON.stringify(written) ?? '')],
})

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text)

/** `null`: it is not understood. */
function meaningOf(expression: Expression): PageFilter | null {
  switch (expression.type) {
    case 'not':
      return negated(meaningOf(expression.of))
    case 'binary':
      return binary(expression)
    case 'call':
      return call(expression)
    case 'value':
      return null
    default: {
      const property = propertyOf(expression)
      return property === null ? null : truthy(property)
    }
  }
}

const negated = (filter: PageFilter | null): PageFilter | null => filter && { not: filter }

/** Neither empty, nor off, nor zero. */
const truthy = (property: string): PageFilter => ({
  and: [
    { property, op: 'not_empty' },
    { property, op: 'is_not', value: false },
    { property, op: 'is_not', value: 0 },
  ],
})

const ops: Record<string, Condition['op']> = {
  '==': 'is',
  '!=': 'is_not',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
}
const turned: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

function binary({ op, left, right }: Expression & { type: 'binary' }): PageFilter | null {
  if (op === '&&' || op === '||') {
    const [one, other] = [meaningOf(left), meaningOf(right)]
    if (!one || !other) return null
    return op === '&&' ? { and: [one, other] } : { or: [one, other] }
  }
  const subject = subjectOf(left)
  if (subject === null) {
    const turnedSubject = subjectOf(right)
    const value = turnedSubject === null ? undefined : literalOf(left)
    return value === undefined ? null : compare(turnedSubject!.property, turned[op] ?? op, value)
  }
  const value = literalOf(right)
  return value === undefined ? null : compare(subject.property, op, value)
}

function compare(property: string, op: string, value: Literal): PageFilter | null {
  if (value === null || value === '') {
    if (op === '==') return { property, op: 'empty' }
    return op === '!=' ? { property, op: 'not_empty' } : null
  }
  const known = ops[op]
  return known ? { property, op: known, value } : null
}

type Literal = string | number | boolean | null

/** `undefined` for what is none. */
function literalOf(expression: Expression): Literal | undefined {
  if (expression.type === 'value') return expression.value
  if (expression.type !== 'call' || expression.of !== null) return undefined
  const [first] = expression.args
  if (first?.type !== 'value' || typeof first.value !== 'string') return undefined
  if (expression.name === 'link') return isName(first.value) ? `[[${first.value}]]` : undefined
  return expression.name === 'date' && expression.args.length === 1 ? first.value : undefined
}

const isName = (text: string) => text !== '' && !/[[\]|#\n]/.test(text)

/** A property, and whether it is asked as a list: `list(x)`. Letter case does not matter, so `lower` changes nothing. */
function subjectOf(expression: Expression): { property: string; asList: boolean } | null {
  if (expression.type === 'call') {
    const { of, name, args } = expression
    if (of !== null) return ['lower', 'toString'].includes(name) && args.length === 0 ? subjectOf(of) : null
    const inner = name === 'list' && args.length === 1 ? subjectOf(args[0]!) : null
    return inner && { ...inner, asList: true }
  }
  const property = propertyOf(expression)
  return property === null ? null : { property, asList: false }
}

function call({ of, name, args }: Expression & { type: 'call' }): PageFilter | null {
  if (of === null) return oldFunction(name, args)
  if (of.type === 'name' && of.name === 'file') return ofPage(name, args)
  const subject = subjectOf(of)
  if (!subject) return null
  const { property, asList } = subject
  if (name === 'isEmpty') return args.length === 0 ? { property, op: 'empty' } : null
  if (name === 'contains') return args.length === 1 ? contains(property, asList, args[0]!) : null
  if (name === 'containsAny' || name === 'containsAll') {
    const parts = all(args.map((one) => contains(property, asList, one)))
    if (!parts || parts.length === 0) return null
    return name === 'containsAny' ? { or: parts } : { and: parts }
  }
  if (name !== 'startsWith' && name !== 'endsWith') return null
  const value = args.length === 1 ? literalOf(args[0]!) : undefined
  return typeof value === 'string'
    ? { property, op: name === 'startsWith' ? 'starts_with' : 'ends_with', value }
    : null
}

/** An item as a whole, where it is a list or a link is looked for; otherwise also a part of a text. */
function contains(property: string, asList: boolean, wanted: Expression): PageFilter | null {
  const value = literalOf(wanted)
  if (value === undefined || value === null || value === '') return null
  return { property, op: asList || wanted.type === 'call' ? 'has' : 'contains', value }
}

/** `file.hasTag` and its like. */
function ofPage(name: string, args: readonly Expression[]): PageFilter | null {
  const values = all(args.map((one) => literalOf(one) ?? null))
  const texts = values?.filter((value) => typeof value === 'string' && value !== '') as string[] | undefined
  if (!texts || texts.length === 0 || texts.length !== args.length) return null
  if (name === 'hasTag') {
    const tags = texts.map((value): PageFilter => ({ property: 'file.tags', op: 'contains', value }))
    return tags.length === 1 ? tags[0]! : { or: tags }
  }
  if (texts.length > 1) return null
  const value = texts[0]!
  if (name === 'inFolder') return { property: 'file.folder', op: 'in_folder', value }
  if (name === 'hasProperty') return { property: value, op: 'exists' }
  return name === 'hasLink'
    ? { property: 'file', op: 'links_to', value: value.replace(/^\[\[|\]\]$/g, '') }
    : null
}

/** As files of the first releases have it: `not(…)`, `empty(…)`, `contains(…, …)`. */
function oldFunction(name: string, args: readonly Expression[]): PageFilter | null {
  const [first, second, ...others] = args
  if (!first || others.length > 0) return null
  if (name === 'not') return second ? null : negated(meaningOf(first))
  const subject = subjectOf(first)
  if (!subject) return null
  if (name === 'empty') return second ? null : { property: subject.property, op: 'empty' }
  return name === 'contains' && second ? contains(subject.property, subject.asList, second) : null
}

/** `null` where one of them is. */
const all = <Item>(items: readonly (Item | null)[]): Item[] | null => {
  const found = items.filter((item): item is Item => item !== null)
  return found.length === items.length ? found : null
}
