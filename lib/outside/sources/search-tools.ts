// Which tools of sources search. This is the one place that says so: a tool takes the words as a string called `query` or
// `q`, needs nothing else, and has “search” or a word like it in its name, title or description.

import type { ToolDefinition } from '../../contract/sources.ts'

/** A tool that searches, by the names of its source and itself. */
export type SearchTool = { source: string; tool: string; argument: 'query' | 'q' }

/** The argument that takes the words, of a tool that searches; `null` for any other tool. */
export function searchArgument(definition: ToolDefinition): 'query' | 'q' | null {
  const { properties, required } = definition.input_schema
  const argument = (['query', 'q'] as const).find((name) => isString(memberOf(properties, name)))
  const needed = Array.isArray(required) ? required : []
  if (!argument || needed.some((name) => name !== argument)) return null
  const { name, title = '', description = '' } = definition
  return [name, title, description.slice(0, maxDescription)].some(saysSearch) ? argument : null
}

const maxDescription = 4000

/** `searchWeb` and `web_search` too. */
const saysSearch = (text: string): boolean =>
  /(?<![a-z])(?:search|searches|query|queries|find|finds|look ?up)(?![a-z])/i.test(
    text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replaceAll('_', ' '),
  )

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : null
}

const isString = (schema: unknown): boolean => memberOf(schema, 'type') === 'string'
