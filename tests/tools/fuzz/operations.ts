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
  return Object.entries(openApi.parse(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, ...declared }]) => ({
      method,
      path,
      access: declared['x-access'],
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body: requestBody?.content['application/json'].schema ?? null,
      bounds: { bytes: toBytes(declared['x-body-limit']), values: declared['x-body-values'] },
    })),
  )
}
