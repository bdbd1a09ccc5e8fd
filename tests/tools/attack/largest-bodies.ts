// The largest bodies that a route takes by its own description: as wide, as deep and as long as its bounds allow, at the
// top, where any schema looks first, and inside of each field that may hold much.

import { maxBodyDepth, maxBodyKeys } from '../../../lib/api/read-json.ts'
import type { JsonSchema } from '../../helpers/text-fields.ts'
import type { Operation } from '../fuzz/operations.ts'

/** `make` writes its JSON, which may take a hundred megabytes. */
export type LargeBody = { shape: string; make: () => string }

/** Some are those of the fields around it. */
const mostKeys = maxBodyKeys - 20

type Bounds = { bytes: number; values: number }

export function largestBodies({ body, bounds }: Operation): LargeBody[] {
  if (!body) return []
  const valid = smallest(body, 0)
  const around = (name: string, shape: string, fill: (room: Bounds) => string): LargeBody => ({
    shape: `${shape} in ${name}`,
    make: () => {
      const rest = JSON.stringify({ ...Object(valid), [name]: 0 })
      const room = { bytes: bounds.bytes - rest.length - 2, values: bounds.values - countValues(valid) - 2 }
      return rest.replace(`"${name}":0`, () => `"${name}":${fill(room)}`)
    },
  })
  const isObject = optionsOf(body).some(({ type }) => type === 'object' || type === undefined)
  const fields = isObject ? fieldsOf(body) : []
  return [
    ...Object.entries(shapes).map(([shape, fill]) => ({ shape, make: () => fill(bounds) })),
    ...fields.flatMap(([name, schema]) => [
      ...Object.entries(shapes).map(([shape, fill]) => around(name, shape, fill)),
      ...fitting(schema).map(([shape, fill]) => around(name, shape, fill)),
    ]),
  ]
}

const repeat = (piece: string, separator: string, { bytes, values }: Bounds, extra: number): string[] => {
  const count = Math.min(values, Math.floor((bytes - extra) / (piece.length + separator.length)))
  return new Array<string>(Math.max(0, count)).fill(piece)
}

/** Each as large as its bounds, and of no schema. */
const shapes: Record<string, (bounds: Bounds) => string> = {
  items: (bounds) => `[${repeat('0', ',', bounds, 2).join()}]`,
  objects: ({ bytes, values }) => {
    const count = Math.min(Math.floor(values / 2) - 1, mostKeys)
    return `[${repeat('{"a":0}', ',', { bytes, values: count }, 2).join()}]`
  },
  lists: ({ bytes, values }) =>
    `[${repeat('[0]', ',', { bytes, values: Math.floor(values / 2) - 1 }, 2).join()}]`,
  keys: ({ bytes, values }) => {
    const count = Math.min(values, mostKeys, Math.floor((bytes - 2) / '"k000000":0,'.length))
    return `{${Array.from({ length: count }, (_, n) => `"k${String(n).padStart(6, '0')}":0`).join()}}`
  },
  deep: ({ bytes, values }) => {
    const depth = maxBodyDepth - 2
    const piece = '['.repeat(depth - 1) + ']'.repeat(depth - 1)
    return `[${repeat(piece, ',', { bytes, values: Math.floor(values / depth) - 1 }, 2).join()}]`
  },
  long: ({ bytes }) => `"${'x'.repeat(bytes - 2)}"`,
  escaped: ({ bytes }) => `"${'\\u0000'.repeat(Math.floor((bytes - 2) / 6))}"`,
  marks: ({ bytes }) => `"${'[[a|'.repeat(Math.floor((bytes - 2) / 4))}"`,
}

/** As many as fit of what the field does take. */
function fitting(schema: JsonSchema): [string, (bounds: Bounds) => string][] {
  return optionsOf(schema).flatMap(
    ({ type, items, maxLength, maxItems }): [string, (b: Bounds) => string][] => {
      if (type === 'string' && maxLength !== undefined)
        return [['fitting text', ({ bytes }) => `"${'x'.repeat(Math.min(maxLength, bytes - 2))}"`]]
      if (type !== 'array') return []
      const item = JSON.stringify(smallest(items ?? {}, 0))
      return [
        [
          'fitting items',
          ({ bytes, values }) =>
            `[${repeat(item, ',', { bytes, values: Math.min(maxItems ?? values, Math.floor(values / (1 + countValues(JSON.parse(item))))) }, 2).join()}]`,
        ],
      ]
    },
  )
}

const optionsOf = (schema: JsonSchema): JsonSchema[] => {
  const options = schema.anyOf ?? schema.oneOf
  return options ? options.flatMap(optionsOf) : [schema]
}

const fieldsOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries(Object.assign({}, ...optionsOf(schema).map(({ properties }) => properties ?? {})))

/** A value with what is required and no more. */
function smallest(schema: JsonSchema, depth: number): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options) return smallest(options[0]!, depth)
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {}, depth + 1)]),
    )
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'null') return null
  if (schema.format === 'uuid') return '01900000-0000-7000-8000-000000000000'
  if (schema.format === 'date') return '2026-01-31'
  if (schema.format === 'date-time') return '2026-01-31T10:00:00Z'
  return 'a'.repeat(Math.max(1, schema.minLength ?? 1))
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + 1 + countValues(inner), 0)
}
