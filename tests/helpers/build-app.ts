// A whole Void over a test database, without listening: `app` for supertest, `deps` for what lies beneath.

import type { Express } from 'express'
import request from 'supertest'
import type { ToolRegistry } from '../../lib/ai/agent/registry.ts'
import type { CallModel } from '../../lib/ai/model.ts'
import { createOfflineModel } from '../../lib/ai/offline.ts'
import type { Deps } from '../../lib/api/deps.ts'
import { createApp } from '../../lib/app.ts'
import { assemble } from '../../lib/assemble.ts'
import type { DraftLimits } from '../../lib/changes/draft-limits.ts'
import type { CurrentModel } from '../../lib/companion/model-provider.ts'
import type { Database } from '../../lib/db/pool.ts'
import type { Kinds } from '../../lib/entities/kinds.ts'
import { kinds as ownKinds } from '../../lib/entities/kinds.ts'
import { createLogger, type Logger } from '../../lib/logger.ts'
import type { Prices } from '../../lib/usage/prices.ts'
import { testDb } from './test-db.ts'

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
  /** Routes messages and names conversations instead of rules. */
  smallModel?: CallModel
  logger?: Logger
  now?: () => Date
  draftLimits?: DraftLimits
  /** The daily budget of the configuration. */
  dailyTokens?: number
  prices?: Prices
  /** The companion's tools instead of Void's own. */
  registry?: ToolRegistry
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
  const deps = assemble({
    database: options.database ?? (await testDb()),
    kinds: options.kinds ?? ownKinds,
    models: { current: () => model, small: () => small },
    ownerToken,
    logger: options.logger ?? createLogger('silent'),
    now,
    version: '0.0.0-test',
    ...(options.registry ? { registry: options.registry } : {}),
    ...(options.draftLimits ? { draftLimits: options.draftLimits } : {}),
    ...(options.prices ? { prices: options.prices } : {}),
    dailyTokens: options.dailyTokens ?? null,
  })
  const app = createApp(deps)
  return { app, deps, owner: asBearer(app, ownerToken), as: (token) => asBearer(app, token) }
}

function asBearer(app: Express, token: string) {
  return request.agent(app).set('Authorization', `Bearer ${token}`)
}
