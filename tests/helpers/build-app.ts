// A whole Void over a test database, without listening: `app` for supertest, `deps` for what lies beneath.

import type { Express } from 'express'
import request from 'supertest'
import type { ToolRegistry } from '../../lib/ai/agent/registry.ts'
import type { CallModel } from '../../lib/ai/model.ts'
import type {
  CurrentModel,
  ListedModels,
  ModelProvider,
  ModelSettings,
} from '../../lib/ai/models/model-provider.ts'
import { createModelProvider } from '../../lib/ai/models/model-provider.ts'
import { createOfflineModel } from '../../lib/ai/offline/offline-model.ts'
import type { Deps } from '../../lib/api/deps.ts'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { createApp } from '../../lib/app.ts'
import { assemble } from '../../lib/assemble.ts'
import type { DraftLimits } from '../../lib/changes/propose/draft-limits.ts'
import type { Database } from '../../lib/db/pool.ts'
import type { Kinds } from '../../lib/entities/kinds.ts'
import { kinds as ownKinds } from '../../lib/entities/kinds.ts'
import { createLogger, type Logger } from '../../lib/logger.ts'
import type { DiscoveryNetwork } from '../../lib/mail/discovery.ts'
import type { ConnectDrafts } from '../../lib/mail/replies/deliver-replies.ts'
import type { ConnectMailServer } from '../../lib/mail/sync/mail-server.ts'
import { createModelConnections } from '../../lib/model-connection.ts'
import type { Network } from '../../lib/oauth/client-document/fetch-document.ts'
import { createTemporaryKeyring } from '../../lib/secrets/master-key.ts'
import { createSecrets } from '../../lib/secrets/secrets.ts'
import type { Telemetry } from '../../lib/telemetry/telemetry.ts'
import type { Prices } from '../../lib/usage/prices.ts'
import { createAssets } from '../../lib/web/assets.ts'
import type { TextThreads } from '../../lib/workers/text-threads.ts'
import { checkAnswers } from './check-answers.ts'
import { testDb } from './test-db.ts'

/** Bundled once for all apps of this process. */
const assets = createAssets()

export const ownerToken = 'owner_test-token-of-the-tests'

export type TestApp = {
  app: Express
  deps: Deps
  /** Requests with the owner's token. */
  owner: ReturnType<typeof asBearer>
  /** Requests with another token. */
  as: (token: string) => ReturnType<typeof asBearer>
}

export type BuildOptions = {
  database?: Database
  kinds?: Kinds
  /** Answers instead of the offline companion. */
  callModel?: CallModel
  /** A model that is reached as by the server, instead of `callModel`; its connection can be changed. */
  configured?: ModelSettings
  /** Routes messages and names conversations instead of rules. */
  smallModel?: CallModel
  /** Left out: counts of its own. */
  telemetry?: Telemetry
  metricsToken?: string
  /** What the provider lists; left out: nothing. */
  models?: ListedModels
  logger?: Logger
  now?: () => Date
  draftLimits?: DraftLimits
  /** The daily budget of the configuration. */
  dailyTokens?: number
  prices?: Prices
  /** Turns that run at once. */
  maxTurns?: number
  /** Messages of the owner; left out: any number. */
  turnsPerMinute?: number
  /** 0 when left out: conversations are named at once. */
  namingQuietMs?: number
  /** Where people reach it; left out: wherever a request came to. */
  publicUrl?: string
  /** Reverse proxies in front: whose address a request has. */
  trustProxy?: number
  /** The companion's tools instead of Void's own. */
  registry?: ToolRegistry
  /** For large texts; left out: as the server has them. */
  threads?: TextThreads
  allowedHosts?: string[]
  /** Where the documents of clients of OAuth are, instead of the internet. */
  clientNetwork?: Network
  /** How long a call of an outside tool may take; left out: as the server has it. */
  callMs?: number
  /** Wall clock of the glance’s analyst; left out: as the server has it. */
  glanceMs?: number
  /** The addresses of host names that sources name, instead of DNS. */
  resolveHost?: (host: string) => Promise<string[]>
  /** How servers of mail are reached; left out: over IMAP. One that fails is tried again at once. */
  connectMail?: ConnectMailServer
  /** Where servers of mail are looked for; left out: nowhere. */
  mailDiscovery?: DiscoveryNetwork
  /** As `connectMail`, for replies. */
  connectDrafts?: ConnectDrafts
}

/** A Void of this test file's own. Without a `callModel` the offline companion answers. */
export async function buildApp(options: BuildOptions = {}): Promise<TestApp> {
  const now = options.now ?? (() => new Date())
  const model: CurrentModel = options.callModel
    ? { mode: 'online', name: 'scripted', callModel: options.callModel }
    : { mode: 'offline', name: 'offline', callModel: createOfflineModel({ now }) }
  const small: CurrentModel | null = options.smallModel
    ? { mode: 'online', name: 'small', callModel: options.smallModel }
    : null
  const database = options.database ?? (await testDb())
  const logger = options.logger ?? createLogger('silent')
  const scripted: ModelProvider = {
    current: (name) => (model.mode === 'offline' ? model : { ...model, name: name ?? model.name }),
    small: () => small,
    list: async () => options.models ?? { models: [], problem: 'No model is connected.' },
  }
  const deps = assemble({
    namingQuietMs: options.namingQuietMs ?? 0,
    ...{ database, logger, ownerToken },
    kinds: options.kinds ?? ownKinds,
    ...(options.configured
      ? await connected(options.configured, { database, logger, now })
      : { models: scripted }),
    now,
    version: '0.0.0-test',
    ...(options.registry ? { registry: options.registry } : {}),
    ...(options.clientNetwork ? { clientNetwork: options.clientNetwork } : {}),
    ...(options.callMs === undefined ? {} : { callMs: options.callMs }),
    ...(options.glanceMs === undefined ? {} : { glance: { analystMs: options.glanceMs } }),
    ...(options.resolveHost ? { resolveHost: options.resolveHost } : {}),
    ...mailOf(options),
    mailDiscovery: options.mailDiscovery ?? nowhere,
    loadExternalImage: async () => ({ type: 'image/gif', bytes: Buffer.from('GIF89a') }),
    ...(options.draftLimits ? { draftLimits: options.draftLimits } : {}),
    ...(options.telemetry ? { telemetry: options.telemetry } : {}),
    metricsToken: options.metricsToken ?? null,
    ...(options.prices ? { prices: options.prices } : {}),
    ...(options.threads ? { threads: options.threads } : {}),
    dailyTokens: options.dailyTokens ?? null,
    publicUrl: options.publicUrl ?? null,
    turnsPerMinute: options.turnsPerMinute ?? null,
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
  })
  const routes = listRoutes(deps.kinds, createGuard(deps.server.authentication))
  const app = checkAnswers(
    createApp(deps, {
      trustProxy: options.trustProxy ?? 0,
      allowedHosts: options.allowedHosts ?? [],
      assets,
    }),
    routes,
  )
  return { app, deps, owner: asBearer(app, ownerToken), as: (token) => asBearer(app, token) }
}

const nobody = async () => {
  throw new Error('nobody answers')
}
const nowhere: DiscoveryNetwork = { resolveSrv: nobody, resolve: nobody, fetch: nobody }

async function connected(
  configured: ModelSettings,
  { database, logger, now }: { database: Database; logger: Logger; now: () => Date },
) {
  const keyring = createTemporaryKeyring()
  const secrets = createSecrets({ database, keyring, readVaultField: async () => null, logger, now })
  const connections = createModelConnections({ database, secrets, configured, logger })
  await connections.load()
  return {
    secrets,
    connections,
    models: createModelProvider(connections.current, { now, resolve: secrets.current }),
  }
}

const mailOf = ({ connectMail, connectDrafts }: BuildOptions) => {
  if (!connectMail) return {}
  const drafts = connectDrafts ? { drafts: { connect: connectDrafts, retryMs: 50, settleMs: 0 } } : {}
  return { mail: { connect: connectMail, retryMs: 50, ...drafts } }
}

function asBearer(app: Express, token: string) {
  return request.agent(app).set('Authorization', `Bearer ${token}`)
}
