// The Express application and the HTTP server that it is on. Neither listens by itself nor reads the environment;
// everything comes in as `deps`.
// `app.locals.callModel`, when set, answers in place of the configured model.

import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import { pinoHttp } from 'pino-http'
import { belowBase } from '../api/base-path.ts'
import type { Deps } from '../api/deps.ts'
import { errorResponder, unknownRoute } from '../api/errors.ts'
import { createGuard } from '../api/guard.ts'
import { allowHosts, createRouter, refuseWhileDraining, watchRequests } from '../api/router.ts'
import { listRoutes } from '../api/routes/list-routes.ts'
import { type Assets, createAssets } from '../api/web/assets.ts'
import { createShell } from '../api/web/shell.ts'
import { basePathOf } from '../core/net/public-url.ts'
import type { Config } from './config.ts'

type AppSettings = Pick<Config, 'allowedHosts' | 'publicUrl' | 'trustProxy'>

/** `assets`: the browser's files. Default: bundled at the first request. */
export function createApp(deps: Deps, settings: AppSettings, assets: Assets = createAssets()): Express {
  const { allowedHosts, publicUrl, trustProxy } = settings
  const app = express()
  const guard = createGuard(deps.server.authentication)
  app.disable('x-powered-by')
  app.set('trust proxy', trustProxy)
  app.set('query parser', 'simple')
  app.locals.basePath = basePathOf(publicUrl)

  app.use(watchRequests(deps.server.telemetry))
  app.use(belowBase(app.locals.basePath))
  app.use(logRequests(deps))
  app.use(securityHeaders())
  app.use(forbidStoring)
  const routes = listRoutes(deps.kinds, guard)
  app.use(allowHosts(publicUrl ? [...allowedHosts, new URL(publicUrl).hostname] : allowedHosts, routes))
  app.use(createRouter(routes, deps, guard))
  app.use(refuseWhileDraining(deps))
  app.use(watchPages(deps))
  app.use(createShell(deps, guard, assets))
  app.use(unknownRoute)
  app.use(errorResponder(deps.server.logger))
  return app
}

// A query string may hold what was searched for, or a token: the log gets the path alone.
function logRequests({ server: { logger } }: Deps) {
  return pinoHttp({
    logger,
    genReqId: (_req, res) => {
      const id = randomUUID()
      res.setHeader('x-request-id', id)
      return id
    },
    customLogLevel: (_req, res, error) => {
      if (error || res.statusCode >= 500) return 'error'
      return res.statusCode >= 400 ? 'info' : 'debug'
    },
    customProps: (req) => ({ request_id: req.id }),
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
    },
  })
}

/** For the watchdog of the event loop, all pages of the app are one route. */
function watchPages({ server: { stalls } }: Deps): RequestHandler {
  return (_req, res, next) => {
    res.once('close', stalls.enter('GET page'))
    next()
  }
}

/** What does not say otherwise is kept by no cache: most answers hold what the owner wrote, errors too. */
const forbidStoring: RequestHandler = (_req, res, next) => {
  res.setHeader('cache-control', 'no-store')
  next()
}

function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Diagrams are pictures that this page makes; notes may hold the bytes of theirs.
        imgSrc: ["'self'", 'blob:', 'data:'],
        // Recordings and films that a Space holds.
        mediaSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        // The pane beside is this app in a frame of its own.
        frameSrc: ["'self'"],
        frameAncestors: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        // The second names the one script that a service worker is started from.
        trustedTypes: ['dompurify', 'service-worker'],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
  })
}

/** A question of 20,000 characters of three bytes each fits the address of a GET. */
const maxHeaderBytes = 200 * 1024

/**
 * A server for the application, not yet listening. A request with an `Expect` header that Node does not know is
 * answered as any other (RFC 9110, 10.1.1), rather than by Node's own 417 without a body.
 */
export const createHttpServer = (app: RequestListener): Server =>
  createServer({ maxHeaderSize: maxHeaderBytes }, app).on('checkExpectation', app)

/** For requests that are just coming in; a browser also opens connections in advance and asks nothing on them. */
const lastRequestsMs = 500

/**
 * Goes on listening until no response is being written, at most `ms`; then stops, and closes what is left open after a
 * moment.
 */
export function createClose(server: Server): (ms: number) => Promise<void> {
  const responses = new Set<ServerResponse>()
  let onIdle = () => {}
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, watch)

  function watch(_req: unknown, res: ServerResponse): void {
    responses.add(res)
    res.once('close', () => {
      responses.delete(res)
      if (responses.size === 0) onIdle()
    })
  }

  return async (ms) => {
    const end = performance.now() + ms
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    onIdle = resolve
    const late = setTimeout(resolve, ms)
    if (responses.size > 0) await idle
    clearTimeout(late)
    const closed = new Promise<void>((done) => server.close(() => done()))
    const left = Math.min(lastRequestsMs, end - performance.now())
    const cut = setTimeout(() => server.closeAllConnections(), left)
    await closed
    clearTimeout(cut)
  }
}
