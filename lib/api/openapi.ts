import { STATUS_CODES } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Kinds } from '../contract/entities/kinds.ts'
import { ErrorBody } from '../contract/error.ts'
import { answerCodes } from '../core/error-codes.ts'
import { type Components, createComponents } from './openapi-components.ts'
import { bodyBounds } from './read-json.ts'
import type { Route } from './route.ts'

type Described = {
  routes: readonly Route[]
  kinds: Kinds
  version: string
  /** Where the paths begin. Default: the root of the host. */
  server?: string
}

/**
 * The OpenAPI 3.1 document of the routes, made from the schemas that validate their requests: about a second of work, in
 * pieces between which others have their turn.
 */
export async function openApiDocument({
  routes,
  kinds,
  version,
  server = '/',
}: Described): Promise<Record<string, unknown>> {
  const components = await createComponents(kinds)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method] = operation(route, components)
    await setImmediate()
  }
  const named = refusals(components)
  const text = JSON.stringify(paths)
  const responses = Object.fromEntries(
    Object.entries(named).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  )

  return {
    openapi: '3.1.0',
    info: {
      title: 'Void',
      version,
      description:
        'A knowledge system whose companion reads everything in a Space and changes nothing itself.',
    },
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses,
      schemas: components.usedBy({ paths, responses }),
    },
  }
}

function operation(route: Route, components: Components): Record<string, unknown> {
  return {
    summary: route.summary,
    operationId: operationId(route),
    tags: [tagOf(route)],
    ...(route.access === 'public' ? { security: [] } : {}),
    'x-access': route.access,
    ...(route.body ? bodyExtensions(route) : {}),
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse({}).success,
            content: { 'application/json': { schema: components.schema(route.body, 'input') } },
          },
        }
      : {}),
    responses: { ...responses(route, components), ...refusalsOf(route, components) },
  }
}

function bodyExtensions(route: Route) {
  const { limit, values } = bodyBounds(route)
  return { 'x-body-limit': limit, 'x-body-values': values }
}

/** The first word of a path that is not a Space or an id. */
function tagOf({ path }: Route): string {
  const [first = '', ...rest] = path.split('/').filter((word) => word !== '' && word !== 'api')
  const inSpace = first === 'spaces' && rest[0] === ':space_id'
  return (inSpace ? rest[1] : first)?.replace(/^\./, '') ?? 'spaces'
}

function operationId({ method, path }: Route): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `by_${word.slice(1)}` : word))
  return [method, ...words].join('_').replace(/[^\w]+/g, '_')
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query', components: Components) {
  if (!schema) return []
  const { properties, required } = components.schema(schema, 'input') as {
    properties?: object
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required?.includes(name) === true,
    schema: property,
  }))
}

function responses(
  { answers, mediaType = 'application/json', alternatives = {} }: Route,
  components: Components,
) {
  const others = Object.entries(alternatives).map(
    ([type, schema]) => [type, { schema: components.schema(schema, 'output') }] as const,
  )
  const entries = Object.entries(answers).map(([status, answer]) => {
    const isText = typeof answer === 'string'
    const own = isText ? [] : [[mediaType, { schema: components.schema(answer, 'output') }] as const]
    const content = [...own, ...others]
    return [
      status,
      {
        description: isText ? answer : 'Success',
        ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** Error responses by name, such as `NotFound`, each with the codes that it may have. */
function refusals(components: Components) {
  const statuses = new Set(Object.values(answerCodes).flatMap(({ status }): readonly number[] => status))
  const named = [...statuses].map(
    (status) => [nameOf(status), refusal(status, ErrorBody, components)] as const,
  )
  return { ...Object.fromEntries(named), Error: refusal(null, ErrorBody, components) }
}

function refusal(status: number | null, schema: z.ZodType, components: Components) {
  const codes = Object.entries(answerCodes)
    .filter(([, { status: all }]) => (all as readonly (number | null)[]).includes(status))
    .map(([code]) => `\`${code}\``)
  return {
    description: status === null ? 'Another error' : `${STATUS_CODES[status]}: ${codes.join(', ')}`,
    content: { 'application/json': { schema: components.schema(schema, 'output') } },
  }
}

const nameOf = (status: number) => (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z0-9]/g, '')

function refusalsOf(route: Route, components: Components) {
  const { refusal: own } = route
  const entries = refusalStatuses(route).map((status) => [
    status,
    own ? refusal(status, own, components) : { $ref: `#/components/responses/${nameOf(status)}` },
  ])
  const other = own ? refusal(null, own, components) : { $ref: '#/components/responses/Error' }
  return { ...Object.fromEntries(entries), default: other }
}

/** The 4xx statuses that a route may answer with. */
function refusalStatuses({ method, access, params, query, body, anyHost }: Route): number[] {
  const changes = method !== 'get'
  const statuses = {
    400: changes || query,
    401: access !== 'public' || changes,
    403: access !== 'public' || changes,
    404: params || changes,
    409: params || changes,
    413: body,
    415: body,
    421: !anyHost,
    422: changes,
    428: method === 'put' || method === 'patch' || method === 'delete' || (changes && params),
    429: true,
  }
  return Object.entries(statuses).flatMap(([status, may]) => (may ? [Number(status)] : []))
}
