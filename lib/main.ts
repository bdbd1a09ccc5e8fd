// The start: configuration → data folder → database → serve. The database opens while the rest of the program loads.

import { loadOrCreateOwnerToken } from './auth/owner-token.ts'
import { AppError, storageFull } from './core/errors.ts'
import { createLogger } from './core/logger.ts'
import { claimDataFolder } from './db/data-folder.ts'
import { ensureStore } from './db/open-store.ts'
import { isDiskFull } from './db/pg-errors.ts'
import { openDatabase } from './db/pool.ts'
import { type Config, ConfigError, findNpm, loadConfig } from './server/config.ts'

try {
  await start(loadConfig())
} catch (error) {
  const reason = isDiskFull(error) ? storageFull(error) : error
  if (!(reason instanceof ConfigError || reason instanceof AppError)) throw error
  console.error(`Void cannot start. ${reason.message}`)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const npm = findNpm()
  const logger = createLogger(config.logLevel)
  const folder = claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null })
  if (folder.corrected)
    logger.warn({ folder: folder.path }, 'data folder was open to other accounts; permissions corrected')
  const ownerToken = config.ownerToken ?? loadOrCreateOwnerToken(folder.path)
  // Before the rest is loaded: a small machine has no memory for both at once.
  if (config.databaseUrl === null) await ensureStore(folder.store)
  const [database, { serve }] = await Promise.all([
    openDatabase({
      url: config.databaseUrl ?? undefined,
      directUrl: config.databaseDirectUrl ?? undefined,
      folder: folder.store,
      maxConnections: config.databasePoolSize,
      onEngineEnd: endWithEngine,
      onSilence: () => logger.warn('no database notifications, polling instead; set DATABASE_DIRECT_URL'),
      onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
    }),
    import('./server/serve.ts'),
  ])
  await serve({ config, logger, folder, ownerToken, database, npm })
}

/** An embedded engine cannot be restarted within its process. What was acknowledged is in its log. */
function endWithEngine(error: unknown): void {
  const { message } = isDiskFull(error) ? storageFull() : new Error('See the log.')
  console.error(`Void stopped, because its embedded database did. ${message} Then start Void again.`)
  process.exit(1)
}
