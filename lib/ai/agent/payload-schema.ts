// The payload of a proposal as JSON Schema, one alternative a kind, made from the kinds' own schemas. `anyOf`, not `oneOf`:
// a payload of a title alone fits several kinds, and a client that validates calls would refuse it under `oneOf`.

import { z } from 'zod'
import { type Kind, proposalFields } from '../../contract/entities/kind.ts'
import { isRecord } from '../../core/record.ts'

/** Taken, but not worth the tokens. */
const unlisted = ['position']

type Schema = Record<string, unknown>

/**
 * What a create requires is said beside them: an update takes the same fields, none of them required. A kind whose fields
 * are all among those of another one needs no variant of its own.
 */
export function payloadVariants(kinds: readonly Kind[]): Schema[] {
  const variants = kinds.map(toVariant)
  const fieldsOf = variants.map(({ properties }) =>
    Object.entries(properties).map((field) => JSON.stringify(field)),
  )
  const isWithin = (one: string[], other: string[]) =>
    one.length < other.length && one.every((field) => other.includes(field))
  return variants.filter((_, at) => !fieldsOf.some((other) => isWithin(fieldsOf[at]!, other)))
}

/** The fields that a create requires, for the description of the payload. */
export function requiredText(kinds: readonly Kind[]): string {
  const byFields = Map.groupBy(kinds, (kind) => proposalFields(kind).required.join(' and '))
  const [[usual] = [''], ...others] = [...byFields].toSorted(([, a], [, b]) => b.length - a.length)
  const more = others.map(([fields, of]) => `, a ${of.map(({ type }) => type).join(' or ')} ${fields}`)
  return `create needs ${usual}${more.join('')}`
}

function toVariant(kind: Kind): { title: string; properties: Record<string, Schema> } {
  const { fields } = proposalFields(kind)
  const schemas = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' }).properties ?? {}
  return {
    title: kind.type,
    properties: Object.fromEntries(
      Object.entries(schemas)
        .filter(([name]) => !unlisted.includes(name))
        .map(([name, schema]) => [name, toField(schema)]),
    ),
  }
}

/** Bounds are for the server to enforce: every call sends these schemas. */
function toField(schema: unknown): Schema {
  if (!isRecord(schema)) return {}
  const { type, enum: options, items, description, anyOf } = schema
  const given = Array.isArray(anyOf) ? anyOf.filter(isRecord).filter((each) => each.type !== 'null') : []
  const [inner] = given
  if (inner && given.length === 1) {
    const field = toField(inner)
    return { ...field, ...(description ? { description } : {}) }
  }
  return {
    ...(type ? { type } : {}),
    ...(options ? { enum: options } : {}),
    ...(items ? { items: toField(items) } : {}),
    ...(description ? { description } : {}),
  }
}
