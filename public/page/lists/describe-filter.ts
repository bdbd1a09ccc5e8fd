import type { Condition, PageFilter } from '../../../lib/contract/space/pages.ts'
import { labelOf } from './list-state.ts'

export const opNames: Record<Condition['op'], string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  has: 'has',
  starts_with: 'starts with',
  ends_with: 'ends with',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  empty: 'is empty',
  not_empty: 'is not empty',
  exists: 'exists',
  in_folder: 'in folder',
  links_to: 'links to',
}

/** A filter in words, as it stands on its chip. */
export function describeFilter(filter: PageFilter): string {
  if ('and' in filter) return joined(filter.and, ' and ')
  if ('or' in filter) return joined(filter.or, ' or ')
  if ('not' in filter) return `not ${inBrackets(filter.not)}`
  const { property, op, value } = filter
  const words = opNames[op] ?? op
  const shown = value === undefined ? '' : ` ${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`
  if (op === 'in_folder' || op === 'links_to') return `${words}${shown}`
  if (property === 'file.tags' && op === 'contains') return `tag${shown}`
  return `${labelOf(property)} ${words}${shown}`
}

const joined = (filters: readonly PageFilter[], by: string) =>
  filters.length === 0 ? 'any page' : filters.map(inBrackets).join(by)

const inBrackets = (filter: PageFilter): string =>
  ('and' in filter && filter.and.length > 1) || ('or' in filter && filter.or.length > 1)
    ? `(${describeFilter(filter)})`
    : describeFilter(filter)
