// A Void of its own for trying a model: over a store that holds nothing but the Space of the trial, so that nothing of it
// shows in the owner's Spaces, lists, search or activity, and nothing is left when it is removed.

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelProvider } from '../ai/models/model-provider.ts'
import type { Deps } from '../api/deps.ts'
import { createTemporaryKeyring } from '../auth/secrets/master-key.ts'
import { createModelTrial, type ModelTrial, type OpenTrial } from '../companion/trial/model-trial.ts'
import type { Logger } from '../core/logger.ts'
import { openOrMakeStore } from '../db/open-store.ts'
import type { Database } from '../db/pool.ts'
import type { Base } from './base.ts'
import type { Config } from './config.ts'
import type { OpenTrialStore, Parts } from './parts.ts'

export type TrialVoid = Awaited<ReturnType<OpenTrial>>

type Assemble = (config: Config, parts: Parts) => Deps

type TrialOptions = {
  /** Migrated and empty. */
  database: Database
  models: ModelProvider
  logger: Logger
}

/** Puts one together. Starts nothing; `close` leaves the database open. */
export function createTrialVoid(
  assemble: Assemble,
  config: Config,
  { database, models, logger }: TrialOptions,
): TrialVoid {
  const { companion, content, changes, search, kinds, ...deps } = assemble(
    { ...config, embeddingProvider: null, backupDir: null, dailyTokens: null },
    {
      ...{ database, models, logger },
      ownerToken: randomBytes(32).toString('base64url'),
      keyring: createTemporaryKeyring(),
    },
  )
  const { writer, conversations } = content
  const { previews, decisions, retractChange } = changes
  return {
    ...{ database, search, kinds, companion, writer, conversations, previews, decisions, retractChange },
    async close() {
      await companion.drain(0, 1000)
      deps.server.live.close()
      deps.secrets.close()
      deps.ai.connections.close()
      await Promise.all([deps.threads.close(), deps.connections.close()])
    },
  }
}

/** The trial of the connected model, in a store of its own. */
export function createServerTrial(assemble: Assemble, config: Config, parts: Parts, base: Base): ModelTrial {
  const { logger } = base
  const openStore = parts.openTrialStore ?? createOpenTrialStore(config.dataDir)
  const open: OpenTrial = async (models) => {
    const { database, remove } = await openStore()
    const trial = createTrialVoid(assemble, config, { database, models, logger })
    return {
      ...trial,
      close: () => trial.close().finally(remove),
    }
  }
  return createModelTrial({ ...base.ai, open, logger })
}

/** An embedded one in the data folder, whatever the server's own is. */
const createOpenTrialStore =
  (dataFolder: string): OpenTrialStore =>
  async () => {
    const folder = join(dataFolder, 'model-trial')
    const clear = async () => {
      for (const each of [folder, `${folder}.new`]) await rm(each, { recursive: true, force: true })
    }
    // One that a crash left.
    await clear()
    const database = await openOrMakeStore({ folder })
    return {
      database,
      async remove() {
        await database.close()
        await clear()
      },
    }
  }
