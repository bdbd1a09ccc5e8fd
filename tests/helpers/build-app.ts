// A whole Void over a test database, without listening: `app` for supertest, `deps` for what lies beneath.

import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Express } from 'express'
import request from 'supertest'
import type { CallModel } from '../../lib/ai/model.ts'
import type { ListedModels } from '../../lib/ai/models/list-models.ts'
import type { CurrentModel, ModelProvider } from '../../lib/ai/models/model-provider.ts'
import { createOfflineModel } from '../../lib/ai/offline/offline-model.ts'
import type { Deps } from '../../lib/api/deps.ts'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { createAssets } from '../../lib/api/web/assets.ts'
import { createTemporaryKeyring } from '../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../lib/core/logger.ts'
import type { DiscoveryNetwork } from '../../lib/outside/mail/discovery.ts'
import { createApp } from '../../lib/server/app.ts'
import { assemble } from '../../lib/server/assemble.ts'
import { type Config, loadConfig } from '../../lib/server/config.ts'
import type { Parts } from '../../lib/server/parts.ts'
import { checkAnswers } from './check-answers.ts'
import { ownerToken } from './owner-token.ts'
import { testDb } from './test-db.ts'

/** Bundled once for all apps of this process. */
const assets = createAssets()

export { ownerToken }

export type TestApp = {
  app: Express
  deps: Deps
  /** Requests with the owner's token. */
  owner: ReturnType<typeof asBearer>
  /** Requests with another token. */
  as: (token: string) => ReturnType<typeof asBearer>
}

/** Settings and parts by their names, and the scripted models in place of those that a server reaches. */
export type BuildOptions = Partial<Config> & Partial<Parts> & ScriptedModels

type ScriptedModels = {
  /** Answers instead of the offline companion. */
  callModel?: CallModel
  /** Routes messages and names conversations instead of rules. */
  smallModel?: CallModel
  /** What the provider lists. Default: nothing. */
  listedModels?: ListedModels
  /** Reaches the models of the configuration or of Settings, as a server does. */
  reachesModels?: boolean
}

const dataDir = join(tmpdir(), 'void-tests')

/** Those of a server, without a limit of turns. */
const testConfig: Config = { ...loadConfig({}, ''), dataDir, turnsPerMinute: null }

/** A Void of this test file's own. Without a `callModel` the offline companion answers. */
export async function buildApp(options: BuildOptions = {}): Promise<TestApp> {
  mkdirSync(dataDir, { recursive: true })
  const config = { ...testConfig, ...options }
  const now = options.now ?? (() => new Date())
  const deps = assemble(config, {
    database: options.database ?? (await testDb()),
    ownerToken,
    keyring: createTemporaryKeyring(),
    logger: createLogger('silent'),
    models: options.reachesModels ? undefined : scriptedModels(options, now),
    mailDiscovery: nowhere,
    loadExternalImage: async () => ({ type: 'image/gif', bytes: Buffer.from('GIF89a') }),
    namingQuietMs: 0,
    mailRetryMs: 50,
    mailSettleMs: 0,
    ...options,
  })
  if (options.reachesModels) await deps.ai.connections.load()
  const routes = listRoutes(deps.kinds, createGuard(deps.server.authentication))
  const app = checkAnswers(createApp(deps, config, assets), routes)
  return { app, deps, owner: asBearer(app, ownerToken), as: (token) => asBearer(app, token) }
}

function scriptedModels(
  { callModel, smallModel, listedModels }: ScriptedModels,
  now: () => Date,
): ModelProvider {
  const model: CurrentModel = callModel
    ? { mode: 'online', name: 'scripted', callModel }
    : { mode: 'offline', name: 'offline', callModel: createOfflineModel({ now }) }
  const small: CurrentModel | null = smallModel
    ? { mode: 'online', name: 'small', callModel: smallModel }
    : null
  return {
    current: (name) => (model.mode === 'offline' ? model : { ...model, name: name ?? model.name }),
    small: () => small,
    list: async () => listedModels ?? { models: [], problem: 'No model is connected.' },
  }
}

const nobody = async () => {
  throw new Error('nobody answers')
}
const nowhere: DiscoveryNetwork = { resolveSrv: nobody, resolve: nobody, fetch: nobody }

function asBearer(app: Express, token: string) {
  return request.agent(app).set('Authorization', `Bearer ${token}`)
}
