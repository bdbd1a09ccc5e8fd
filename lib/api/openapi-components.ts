// JSON Schemas that name each shape of lib/contract once. A shape is known by how it looks, so that it makes no difference
// which routes build theirs from it, and how.

import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Kinds } from '../contract/entities/kinds.ts'
import { rowOf } from '../contract/entities.ts'
import { isRecord } from '../core/record.ts'
import * as shapes from './openapi-shapes.ts'

type Json = { [key: string]: unknown }

type Io = 'input' | 'output'

export type Components = {
  /** A JSON Schema in which shapes are references to `schemas`. */
  schema(schema: z.ZodType, io: Io): Json
  /** The shapes that a part of the document refers to, by name, and those that they refer to. */
  usedBy(part: unknown): Json
}

/** Characters of a JSON Schema: a shorter one is written out where it is used. */
const minLength = 100

const prefix = '#/components/schemas/'

/** Those whose pattern in zod's schemas would stand hundreds of times. */
const formats: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time', 'email'])

/** Half a second of work, in pieces between which others have their turn. */
export async function createComponents(kinds: Kinds): Promise<Components> {
  const schemas: Json = {}
  const names = { input: new Map<string, string>(), output: new Map<string, string>() }
  const named = namedShapes(kinds)
  // What is within others is named before them.
  for (const io of ['output', 'input'] as const) {
    const converted: (readonly [string, Json])[] = []
    for (const [name, schema] of named) {
      converted.push([name, convert(schema, io)])
      await setImmediate()
    }
    for (const [name, { $defs, ...shape }] of converted.toSorted((a, b) => sizeOf(a[1]) - sizeOf(b[1]))) {
      nameDefinitions($defs, io)
      add(name, withReferences(shape, io), io)
      await setImmediate()
    }
  }

  return {
    schema(schema, io) {
      const { $defs, ...shape } = convert(schema, io)
      nameDefinitions($defs, io)
      return refer(shape, io)
    },
    usedBy(part) {
      const used = new Set(referencesIn(part))
      for (const name of used) for (const inner of referencesIn(schemas[name])) used.add(inner)
      return Object.fromEntries([...used].toSorted().map((name) => [name, schemas[name]]))
    },
  }

  function add(name: string, shape: Json, io: Io): void {
    const text = JSON.stringify(shape)
    if (names[io].has(text) || (text.length < minLength && name !== 'ErrorBody')) return
    const isSame = JSON.stringify(schemas[name]) === text
    const own = schemas[name] === undefined || isSame ? name : `${name}Input`
    schemas[own] = shape
    names[io].set(text, own)
  }

  /** Shapes that are within themselves, by their `id`; that of `z.json()` has none. */
  function nameDefinitions(definitions: unknown, io: Io): void {
    for (const [name, shape] of Object.entries(Object(definitions) as Record<string, Json>)) {
      if (!(name in shapes || name === 'JsonValue'))
        throw new Error(`A shape within itself needs an id: ${name}`)
      schemas[name] ??= withReferences(shape, io)
    }
  }

  function refer(shape: Json, io: Io): Json {
    const { description, ...rest } = withReferences(shape, io)
    const name = names[io].get(JSON.stringify(rest))
    const referred = name === undefined ? rest : { $ref: prefix + name }
    return description === undefined ? referred : { ...referred, description }
  }

  function withReferences(shape: Json, io: Io): Json {
    const { pattern, ...rest } = shape
    // A format says it in a word.
    const isFormatted = formats.has(String(shape.format))
    return Object.fromEntries(
      Object.entries(isFormatted ? rest : shape).map(([key, value]) => [key, mapped(key, value, io)]),
    )
  }

  function mapped(key: string, value: unknown, io: Io): unknown {
    // The end of a tuple, whose length stands beside; some tools want a schema there.
    if (key === 'items' && value === false) return {}
    if (key === '$ref') return String(value).replace('#/$defs/', prefix)
    if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? refer(one, io) : one))
    if (!isRecord(value) || key === 'default' || key === 'example') return value
    if (key !== 'properties') return refer(value, io)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, refer(one as Json, io)]))
  }
}

/** Exported shapes, and the row of each kind. */
function namedShapes(kinds: Kinds): [string, z.ZodType][] {
  const exported = Object.entries<unknown>(shapes).filter(
    (entry): entry is [string, z.ZodType] => /^[A-Z]/.test(entry[0]) && entry[1] instanceof z.ZodType,
  )
  const rows = kinds.all.map((kind): [string, z.ZodType] => [pascal(kind.type), rowOf(kind)])
  return [...rows, ...exported.filter(([name]) => !rows.some(([row]) => row === name))]
}

const pascal = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function convert(schema: z.ZodType, io: Io): Json {
  const json = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const { $schema, id, ...rest } = JSON.parse(json.replaceAll('"#/$defs/__schema0"', '"#/$defs/JsonValue"'))
  const { __schema0: jsonValue, ...$defs } = rest.$defs ?? {}
  return { ...rest, $defs: jsonValue ? { ...$defs, JsonValue: { description: 'Any JSON value' } } : $defs }
}

const referencesIn = (part: unknown) =>
  [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)

const sizeOf = (value: unknown) => JSON.stringify(value).length
