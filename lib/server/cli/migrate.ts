// `npm run migrate`: brings the schema up to date without starting the server, so that a deployment learns of a
// migration that fails before it switches over. The embedded store must not be open: the server has to be stopped.

import { AppError } from '../../core/errors.ts'
import { claimDataFolder } from '../../db/data-folder.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/pool.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'

try {
  const ran = await run(loadConfig())
  console.log(ran.length > 0 ? `Ran ${ran.join(', ')}.` : 'The schema is up to date.')
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof AppError)) throw error
  console.error(`Void cannot migrate. ${error.message}`)
  process.exit(1)
}

async function run(config: Config): Promise<string[]> {
  const folder = claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null })
  const database = await openDatabase({
    url: config.databaseUrl ?? undefined,
    folder: folder.store,
    maxConnections: 1,
  })

  try {
    return await migrate(database)
  } finally {
    await database.close()
    folder.release()
  }
}
