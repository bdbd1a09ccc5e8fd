import { z } from 'zod'
import { toBytes } from '../../../lib/api/read-json.ts'
import type { JsonSchema } from '../../helpers/text-fields.ts'

export type Operation = {
  method: string
  /** With `{name}` for parameters. */
  path: string
  access: string
  query: { name: string; schema: JsonSchema; required: boolean }[]
  body: JsonSchema | null
  /** What a body may have. */
  bounds: { bytes: number; values: number }
}

const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)
const openApi = z.object({
  components: z.object({ schemas: z.record(z.string(), schema) }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        'x-access': z.string(),
        'x-body-limit': z.string().default('0kb'),
        'x-body-values': z.int().default(0),
        parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema })),
        requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema }) }) }).optional(),
      }),
    ),
  ),
})

/** The operations of an OpenAPI document as Void writes it. */
export function operationsOf(document: unknown): Operation[] {
  const { paths, components } = openApi.parse(document)
  const inlined = (one: JsonSchema) => withoutReferences(one, components.schemas) as JsonSchema
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, ...declared }]) => ({
      method,
      path,
      access: declared['x-access'],
      query: parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => ({ ...parameter, schema: inlined(parameter.schema) })),
      body: requestBody ? inlined(requestBody.content['application/json'].schema) : null,
      bounds: { bytes: toBytes(declared['x-body-limit']), values: declared['x-body-values'] },
    })),
  )
}

/** The same with components in place of their references; one within itself ends there. */
function withoutReferences(
  value: unknown,
  components: Record<string, unknown>,
  open: string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, components, open))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as JsonSchema
  if ($ref === undefined) {
    const entries = Object.entries(rest).map(([key, one]) => [key, withoutReferences(one, components, open)])
    return Object.fromEntries(entries)
  }
  const name = $ref.split('/').at(-1)!
  if (open.includes(name)) return rest
  return { ...(withoutReferences(components[name], components, [...open, name]) as object), ...rest }
}
