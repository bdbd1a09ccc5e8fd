import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Deps } from '../deps.ts'
import { openApiDocument } from '../openapi.ts'
import { type Route, route } from '../route.ts'

const progress = z.object({ done: z.int(), total: z.int() })

const embedding = z.object({
  model: z.string(),
  answering: z.boolean(),
  done: z.int(),
  total: z.int(),
  failing: z.boolean(),
})

const health = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  database: z.object({ engine: z.enum(['pglite', 'postgres']), reachable: z.boolean() }),
  model: z.object({ mode: z.enum(['online', 'offline']), name: z.string() }),
  search: z.object({
    mode: z.enum(['lexical', 'hybrid']),
    embedding: embedding.nullable().describe('The model that embeds; null: search is by words alone'),
    indexing: progress.nullable().describe('What is being indexed anew; null: everything is up to date'),
  }),
})

export const healthRoutes = [
  route({
    method: 'get',
    path: '/health',
    access: 'public',
    summary: 'Whether the process lives, and how its parts are',
    answers: { 200: health },
    async handle({ database, models, indexKeeper, embedding, version }) {
      const reachable = await isReachable(database)
      const { mode, name } = models.current()
      return {
        body: {
          status: reachable ? 'ok' : 'degraded',
          version,
          database: { engine: database.engine, reachable },
          model: { mode, name },
          search: await searchState({ embedding, indexKeeper }),
        },
      }
    },
  }),

  route({
    method: 'get',
    path: '/ready',
    access: 'public',
    summary: 'Whether requests can be served just now; 503 otherwise',
    answers: { 200: z.object({ ready: z.literal(true) }) },
    async handle({ database }) {
      if (!(await isReachable(database))) {
        throw new AppError('database_unavailable', 503, 'The database cannot be reached just now.')
      }
      return { body: { ready: true } }
    },
  }),
]

/** The document of all routes, this one included. */
export function openApiRoutes(others: readonly Route[]): Route[] {
  const routes: Route[] = [
    ...others,
    route({
      method: 'get',
      path: '/api/openapi.json',
      access: 'public',
      summary: 'This document',
      answers: { 200: z.record(z.string(), z.unknown()) },
      handle: async ({ version }) => ({ body: openApiDocument(routes, version) }),
    }),
  ]
  return routes.slice(-1)
}

/** What a provider said is not told here: anybody may ask. */
async function searchState({ embedding, indexKeeper }: Pick<Deps, 'embedding' | 'indexKeeper'>) {
  const indexing = indexKeeper.progress()
  const state = embedding && (await embedding.recentState().catch(() => null))
  if (!state) return { mode: 'lexical' as const, indexing, embedding: null }
  const { problem, ...known } = state
  const mode = known.answering ? ('hybrid' as const) : ('lexical' as const)
  return { mode, indexing, embedding: { ...known, failing: problem !== null } }
}

async function isReachable(database: Deps['database']): Promise<boolean> {
  try {
    await database.query('select')
    return true
  } catch {
    return false
  }
}
