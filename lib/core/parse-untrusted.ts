// Parsing values from outside by a schema, at a cost that their bounds bound.

import { z } from 'zod'

export type Issue = { path: string; message: string }

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

/** A value with more is told of its first fault alone. */
const maxExplained = 500

/**
 * `schema.safeParse` for values from outside. A list stops at its first wrong item, and only what is small is parsed again
 * for all of its issues, since zod makes one of each wrong item, for each option of a union. zod compares a length before
 * it knows the type, and throws a `TypeError` at `{ "length": { "toString": 1 } }`: that, too, is a value that does not fit.
 */
export function parseUntrusted<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
): z.ZodSafeParseResult<Output> {
  try {
    const first = schema.safeParse(value, untilFault)
    return first.success || hasMoreThan(maxExplained, value) ? first : schema.safeParse(value)
  } catch (error) {
    if (!(error instanceof TypeError && /to primitive value/.test(error.message))) throw error
    return z.custom<Output>(() => false).safeParse(value)
  }
}

const untilFault: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

/** Whether a value holds more values, at any depth. */
function hasMoreThan(limit: number, value: unknown): boolean {
  const open = [value]
  let left = limit
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const key in next) {
      left -= 1
      if (left < 0) return true
      open.push(Reflect.get(next, key))
    }
  }
  return false
}
