// A list of pages as the text of a `.base` file: in JSON, which is YAML, too. What it writes, reading gives back.

import type { Condition, PageFilter } from '../../../lib/contract/space/pages.ts'
import { isDate, isLink } from '../../../lib/core/text/properties/typed-properties.ts'
import { type ListState, labelOf } from './list-state.ts'

export function writeBase(name: string, { layout, parts, sorts, columns, limit }: ListState): string {
  const labels = columns.filter(({ property, label }) => label !== labelOf(property))
  const base = {
    ...(labels.length > 0 && {
      properties: Object.fromEntries(
        labels.map(({ property, label }) => [idOf(property), { displayName: label }]),
      ),
    }),
    views: [
      {
        type: layout,
        name,
        ...(parts.length > 0 && { filters: { and: parts.map(written) } }),
        order: columns.map(({ property }) => idOf(property)),
        ...(sorts.length > 0 && {
          sort: sorts.map(({ property, direction }) => ({
            property: idOf(property),
            direction: direction === 'desc' ? 'DESC' : 'ASC',
          })),
        }),
        ...(limit !== null && { limit }),
      },
    ],
  }
  return `${JSON.stringify(base, null, 2)}\n`
}

const idOf = (property: string) => (property.startsWith('file.') ? property : `note.${property}`)

type Written = string | { and: Written[] } | { or: Written[] } | { not: Written[] }

function written(filter: PageFilter): Written {
  if ('and' in filter) return { and: filter.and.map(written) }
  if ('or' in filter) return { or: filter.or.map(written) }
  return 'not' in filter ? { not: [written(filter.not)] } : expressionOf(filter)
}

const comparisons: Partial<Record<Condition['op'], string>> = {
  is: '==',
  is_not: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

function expressionOf({ property, op, value = '' }: Condition): string {
  const name = nameOf(property)
  const comparison = comparisons[op]
  if (comparison) return `${name} ${comparison} ${literal(value)}`
  if (op === 'empty' || op === 'not_empty') return `${op === 'empty' ? '' : '!'}${name}.isEmpty()`
  if (op === 'exists') return `file.hasProperty(${quoted(property)})`
  if (op === 'in_folder') return `file.inFolder(${quoted(String(value))})`
  if (op === 'links_to') return `file.hasLink(${quoted(String(value))})`
  const not = op === 'not_contains' ? '!' : ''
  if (property === 'file.tags' && op !== 'has') return `${not}file.hasTag(${quoted(String(value))})`
  if (op === 'has') return `list(${name}).contains(${literal(value)})`
  const method = op === 'starts_with' ? 'startsWith' : op === 'ends_with' ? 'endsWith' : 'contains'
  return `${not}${name}.${method}(${quoted(String(value))})`
}

const reserved = ['this', 'file', 'note', 'formula', 'true', 'false', 'null']

function nameOf(property: string): string {
  if (property.startsWith('file.')) return property
  const isPlain = /^[\p{L}_$][\p{L}\p{N}\p{M}_$]*$/u.test(property) && !reserved.includes(property)
  return isPlain ? property : `note[${quoted(property)}]`
}

function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const link = isLink(value) ? /^\[\[([^[\]|#]+)/.exec(value)?.[1] : undefined
  if (link !== undefined) return `link(${quoted(link)})`
  return isDate(value) ? `date(${quoted(value)})` : quoted(value)
}

const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
