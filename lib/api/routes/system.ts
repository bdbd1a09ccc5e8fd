import { z } from 'zod'
import { TimeZone } from '../../contract/auth.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { Health, Ready } from '../../contract/health.ts'
import { AppError, storageFull } from '../../core/errors.ts'
import { readDiskSpace } from '../../db/disk-space.ts'
import { isReachable } from '../../db/pool.ts'
import { outward } from '../base-path.ts'
import type { Deps } from '../deps.ts'
import { openApiDocument } from '../openapi.ts'
import { type Route, route } from '../route.ts'

export const healthRoutes = [
  route({
    method: 'get',
    path: '/health',
    access: 'public',
    summary: 'Get liveness and component status',
    answers: { 200: Health },
    anyHost: true,
    servedWhileDraining: true,
    async handle({ database, companion, glance, ai: { models }, indexing: { indexer, embedding }, server }) {
      const reachable = await isReachable(database)
      const { mode, name } = models.current()
      const unavailable = glance.unavailable()
      return {
        body: {
          status: companion.isDraining() ? 'draining' : reachable ? 'ok' : 'degraded',
          version: server.version,
          database: { engine: database.engine, reachable },
          disk: await readDiskSpace(server.dataFolder),
          model: { mode, name },
          glance: { available: unavailable === null, reason: unavailable },
          search: await searchState({ embedding, indexer }),
          backup: (await server.backup?.state()) ?? null,
          worst_stall: server.stalls.worst(),
        },
      }
    },
  }),

  route({
    method: 'get',
    path: '/ready',
    access: 'public',
    summary: 'Check readiness; 503 if requests cannot be served',
    answers: { 200: Ready },
    anyHost: true,
    async handle({ database, server }) {
      if (!(await isReachable(database))) {
        throw new AppError('database_unavailable', 503, 'The database is unavailable.')
      }
      if ((await readDiskSpace(server.dataFolder))?.state === 'full') {
        throw new AppError('storage_full', 503, storageFull().message)
      }
      return { body: { ready: true, details: { backup: (await server.backup?.state()) ?? null } } }
    },
  }),
]

export const timeZoneRoutes = [
  route({
    method: 'get',
    path: '/api/time-zone',
    access: 'owner',
    summary: 'Get the owner’s time zone, which decides what day it is',
    answers: { 200: TimeZone },
    handle: async ({ server: { ownerZone } }) => ({ body: ownerZone.describe() }),
  }),

  route({
    method: 'put',
    path: '/api/time-zone',
    access: 'owner',
    summary: 'Set the owner’s time zone. What a browser reports is kept only while none is known',
    body: z.strictObject({
      time_zone: z.string().max(64),
      set_by: TimeZone.shape.set_by.exclude(['server']).default('owner'),
    }),
    answers: { 200: TimeZone },
    async handle({ server: { ownerZone } }, { body }) {
      await ownerZone.set(body)
      return { body: ownerZone.describe() }
    },
  }),
  route({
    method: 'get',
    path: '/metrics',
    access: 'metrics',
    summary: 'Get Prometheus metrics of this server',
    answers: { 200: 'Prometheus text format' },
    mediaType: 'text/plain',
    anyHost: true,
    servedWhileDraining: true,
    async handle({ server: { telemetry } }, { res }) {
      const { register } = telemetry.metrics
      const text = await register.metrics()
      res.setHeader('content-type', register.contentType)
      res.end(text)
    },
  }),
]

/** The document of all routes, this one included. */
export function openApiRoutes(others: readonly Route[], kinds: Kinds): Route[] {
  /** Made once. */
  let document: Promise<Record<string, unknown>> | null = null
  const routes: Route[] = [
    ...others,
    route({
      method: 'get',
      path: '/api/openapi.json',
      access: 'public',
      summary: 'Get this OpenAPI document',
      answers: { 200: z.record(z.string(), z.unknown()) },
      async handle({ server: { version } }, { req }) {
        document ??= openApiDocument({ routes, kinds, version, server: outward(req, '/') })
        return { body: await document }
      },
    }),
  ]
  return routes.slice(-1)
}

/** What a provider said is not told here: anybody may ask. */
async function searchState({ embedding, indexer }: Deps['indexing']) {
  const indexing = indexer.progress()
  const state = embedding && (await embedding.recentState().catch(() => null))
  if (!state) return { mode: 'lexical' as const, indexing, embedding: null }
  const { problem, ...known } = state
  const mode = known.answering && known.share > 0 ? ('hybrid' as const) : ('lexical' as const)
  return { mode, indexing, embedding: { ...known, failing: problem !== null } }
}
