import { z } from 'zod'
import type { Kind } from '../../contract/entities/kind.ts'
import { invalid } from '../../core/errors.ts'

export type Issue = { path: string; message: string }

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

/** A body of megabytes can be wrong in as many places. */
const maxIssues = 20
const maxIssueLength = 200

/** zod's issues as `{ path, message }`, the path in dots. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.slice(0, maxIssues).map((issue) => ({
    path: issue.path.join('.').slice(0, maxIssueLength),
    message: issue.message.slice(0, maxIssueLength),
  }))
}

/**
 * `schema.safeParse` for values from outside. zod compares a length before it knows the type, and throws a `TypeError` at
 * `{ "length": { "toString": 1 } }`: that, too, is a value that does not fit.
 */
export function parseUntrusted<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
): z.ZodSafeParseResult<Output> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (!(error instanceof TypeError && /to primitive value/.test(error.message))) throw error
    return z.custom<Output>(() => false).safeParse(value)
  }
}

function parseFields(kind: Kind, schema: z.ZodObject, fields: unknown): Record<string, unknown> {
  const parsed = parseUntrusted(schema, fields)
  if (parsed.success) return parsed.data

  const issues = issuesOf(parsed.error)
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  throw invalid(`This is not a valid ${kind.label}: ${list}.`, { details: { issues } })
}
