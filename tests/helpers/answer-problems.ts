// What is wrong with an answer, by the schema that its route declares. A key that the schema does not have is a mismatch too.

import type { z } from 'zod'
import type { Route } from '../../lib/api/route.ts'
import { ErrorBody } from '../../lib/contract/error.ts'
import { createEventReader } from '../../lib/core/text/event-stream.ts'

/** Media types whose answers are read as they come. */
export const isStreamed = (type: string): boolean =>
  ['text/event-stream', 'application/x-ndjson'].includes(type)

/** What is wrong with an answer in one piece; `type` is its media type without parameters. */
export function bodyProblems(
  route: Route | undefined,
  { status, type, body }: { status: number; type: string; body: Buffer },
  refusal: z.ZodType = route?.refusal ?? ErrorBody,
): string[] {
  const isJson = type === 'application/json'
  if (status >= 400) return isJson ? problemsOf(refusal, parseJson(body)) : []
  if (!route || status === 304) return []
  if (route.answers[status] === undefined) return [`the route does not declare the status ${status}`]
  const declared = isJson && route.alternatives?.['application/json']
  const answer = declared || route.answers[status]
  if (typeof answer !== 'string') return problemsOf(answer, parseJson(body))
  return isJson || (status === 204 && body.length > 0) ? [`the route declares no such body of ${type}`] : []
}

/** Checks a stream of this media type chunk by chunk. */
export function streamCheck(route: Route | undefined, type: string): (chunk: Buffer) => string[] {
  const schema = route?.alternatives?.[type] ?? route?.stream
  if (!route || !schema) return () => [`the route declares no stream of ${type}`]
  if (type === 'text/event-stream') {
    const reader = createEventReader()
    return (chunk) =>
      reader.push(chunk).flatMap(({ id, type, data }) => [
        // Nothing takes up a stream of MCP where it broke off.
        ...(id === '' && route.path !== '/mcp' ? [`the event ${type} has no id`] : []),
        ...problemsOf(schema, { type, data: JSON.parse(data) }),
      ])
  }
  let rest = ''
  const decoder = new TextDecoder()
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    return lines.flatMap((line) => problemsOf(schema, JSON.parse(line)))
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** What is wrong with a value, each with its place. */
function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return unknownKeys(value, parsed.data, [])
  return parsed.error.issues.map((issue) => {
    const at = issue.path.reduce<unknown>((part, key) => Object(part)[key], value)
    return `${issue.path.join('.')}: ${issue.message} (${JSON.stringify(at)?.slice(0, 200)})`
  })
}

/** Parsing leaves out what the schema does not have: those keys. */
function unknownKeys(value: unknown, parsed: unknown, path: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  const known = Object(parsed)
  return Object.entries(value).flatMap(([key, part]) =>
    key in known
      ? unknownKeys(part, known[key], [...path, key])
      : [`${[...path, key].join('.')}: the schema has no such key`],
  )
}
