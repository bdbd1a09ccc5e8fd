import { z } from 'zod'
import { ErrorBody } from '../contract/error.ts'
import { bodyBounds } from './read-json.ts'
import type { Route } from './route.ts'

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate their requests. */
export function openApiDocument(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method] = operation(route)
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Void',
      version,
      description:
        'A knowledge system whose companion reads everything in a Space and changes nothing itself.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: toJsonSchema(ErrorBody, 'output') },
    },
  }
}

function operation(route: Route): Record<string, unknown> {
  return {
    summary: route.summary,
    operationId: operationId(route),
    ...(route.access === 'public' ? { security: [] } : {}),
    'x-access': route.access,
    ...(route.body ? bodyExtensions(route) : {}),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body
      ? { requestBody: { content: { 'application/json': { schema: toJsonSchema(route.body, 'input') } } } }
      : {}),
    responses: { ...responses(route), default: errorResponse(route) },
  }
}

function bodyExtensions(route: Route) {
  const { limit, values } = bodyBounds(route)
  return { 'x-body-limit': limit, 'x-body-values': values }
}

const errorResponse = ({ refusal }: Route) => ({
  description: 'An error',
  content: {
    'application/json': {
      schema: refusal ? toJsonSchema(refusal, 'output') : { $ref: '#/components/schemas/Error' },
    },
  },
})

function operationId({ method, path }: Route): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `by_${word.slice(1)}` : word))
  return [method, ...words].join('_').replace(/[^\w]+/g, '_')
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function responses({ answers, mediaType = 'application/json', alternatives = {} }: Route) {
  const others = Object.entries(alternatives).map(
    ([type, schema]) => [type, { schema: toJsonSchema(schema, 'output') }] as const,
  )
  const entries = Object.entries(answers).map(([status, answer]) => {
    if (typeof answer === 'string') {
      const content = others.length > 0 ? { content: Object.fromEntries(others) } : {}
      return [status, { description: answer, ...content }] as const
    }
    return [
      status,
      { description: 'Success', content: { [mediaType]: { schema: toJsonSchema(answer, 'output') } } },
    ] as const
  })
  return Object.fromEntries(entries)
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
