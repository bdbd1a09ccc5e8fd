// The Express application. It never listens and never reads the environment; everything comes in as `deps`.
// `app.locals.callModel`, when set, answers in place of the configured model.

import { randomUUID } from 'node:crypto'
import type { Express, RequestHandler } from 'express'
import express from 'express'
import helmet from 'helmet'
import { pinoHttp } from 'pino-http'
import type { Deps } from '../api/deps.ts'
import { errorResponder, unknownRoute } from '../api/errors.ts'
import { createGuard } from '../api/guard.ts'
import { allowHosts, refuseWhileDraining, watchRequests } from '../api/middleware.ts'
import { createRouter } from '../api/router.ts'
import { listRoutes } from '../api/routes/list-routes.ts'
import { type Assets, createAssets } from '../api/web/assets.ts'
import { createShell } from '../api/web/shell.ts'
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

  app.use(watchRequests(deps.server.telemetry))
  app.use(logRequests(deps))
  app.use(securityHeaders())
  app.use(forbidStoring)
  app.use(allowHosts(publicUrl ? [...allowedHosts, new URL(publicUrl).hostname] : allowedHosts))
  app.use(createRouter(listRoutes(deps.kinds, guard), deps, guard))
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
        // Diagrams are pictures that this page makes.
        imgSrc: ["'self'", 'blob:'],
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
