import { z } from 'zod'
import type { Kind } from '../../contract/entities/kind.ts'
import { invalid } from '../../core/errors.ts'
import { issuesOf, parseUntrusted } from '../../core/parse-untrusted.ts'

/** The fields a new entity is made from; each optional but the required ones, unknown names refused. */
export function createSchema(kind: Kind): z.ZodObject {
  return strict(kind, Object.keys(kind.fields.shape), kind.required)
}

/** The fields an update may carry: each optional, fixed and unknown names refused. */
export function updateSchema(kind: Kind): z.ZodObject {
  const changeable = Object.keys(kind.fields.shape).filter((name) => !kind.fixed.includes(name))
  return strict(kind, changeable, [])
}

function strict(kind: Kind, names: string[], required: readonly string[]): z.ZodObject {
  const shape = names.map((name) => {
    const schema = z.clone(kind.fields.shape[name]!)
    return [name, required.includes(name) ? schema : z.optional(schema)] as const
  })
  return z.strictObject(Object.fromEntries(shape))
}

/** `fields` parsed for a new entity. Throws a 400 `AppError` that names every field that is wrong. */
export const validateCreate = (kind: Kind, fields: unknown) => parseFields(kind, createSchema(kind), fields)

/** `fields` parsed for an update. Throws a 400 `AppError` that names every field that is wrong. */
export const validateUpdate = (kind: Kind, fields: unknown) => parseFields(kind, updateSchema(kind), fields)

/** Those of `fields` whose values differ from the row's. */
export function changedFields(
  row: Readonly<Record<string, unknown>>,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(row[name])),
  )
}

function parseFields(kind: Kind, schema: z.ZodObject, fields: unknown): Record<string, unknown> {
  const parsed = parseUntrusted(schema, fields)
  if (parsed.success) return parsed.data

  const issues = issuesOf(parsed.error)
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  throw invalid(`This is not a valid ${kind.label}: ${list}.`, { details: { issues } })
}
