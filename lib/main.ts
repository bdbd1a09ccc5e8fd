// The start: configuration → data folder → database → serve. The database opens while the rest of the program loads.

import { loadOrCreateOwnerToken } from './auth/owner-token.ts'
import { storageFull } from './core/errors.ts'
import { createLogger } from './core/logger.ts'
import { claimDataFolder } from './db/data-folder.ts'
import { prepareStore } from './db/open-store.ts'
import { isDiskFull } from './db/pg-errors.ts'
import { openDatabase } from './db/pool.ts'
import { wantsHelp } from './server/cli/wants-help.ts'
import { type Config, findMisspelt, findNpm, loadConfig, printsJson } from './server/config.ts'
import { type Console, createConsole, explainFailure } from './server/console.ts'
import { endOnSignal } from './server/stop.ts'

const help = `Void, a knowledge system with an AI companion. Starts its server.

  npm start            in the folder of Void
  node server.js       the same, for a service

It takes no arguments. Settings are environment variables, or lines of a file .env: docs/configuration.md lists them.`

if (wantsHelp(process.argv.slice(2))) console.log(help)
else await run()

async function run(): Promise<void> {
  // In a container nothing else ends the first process.
  const goOn = endOnSignal()
  const config = load()
  const console = createConsole(printsJson())
  try {
    await start(config, console, goOn)
  } catch (error) {
    fail(console, error)
  }
}

function load(): Config {
  try {
    return loadConfig()
  } catch (error) {
    return fail(createConsole(printsJson()), error)
  }
}

function fail(console: Console, error: unknown): never {
  const reason = explainFailure(error)
  if (reason === null) console.error('Void cannot start, because of a bug in it.', error)
  else console.error(`Void cannot start. ${reason}`)
  process.exit(1)
}

async function start(config: Config, console: Console, goOn: () => void): Promise<void> {
  const npm = findNpm()
  const logger = createLogger(config.logLevel)
  for (const { name, setting } of findMisspelt())
    logger.warn(`${name} is not a setting of Void. Did you mean ${setting}?`)
  const folder = claimDataFolder(config.dataDir)
  if (folder.corrected)
    logger.warn({ folder: folder.path }, 'data folder was open to other accounts; permissions corrected')
  const ownerToken = config.ownerToken ?? loadOrCreateOwnerToken(folder.path)
  // Before the rest is loaded: a small machine has no memory for both at once.
  const url = config.databaseUrl ?? undefined
  await prepareStore({ url, folder: folder.store, onWait: console.warn })
  const [database, { serve }] = await Promise.all([
    openDatabase({
      url,
      directUrl: config.databaseDirectUrl ?? undefined,
      folder: folder.store,
      maxConnections: config.databasePoolSize,
      onEngineEnd: (error) => endWithEngine(console, error),
      onSilence: () => logger.warn('no database notifications, polling instead; set DATABASE_DIRECT_URL'),
      onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
    }),
    import('./server/serve.ts'),
  ])
  await serve({ config, console, logger, folder, ownerToken, database, npm, goOn })
}

/** An embedded engine cannot be restarted within its process. What was acknowledged is in its log. */
function endWithEngine(console: Console, error: unknown): void {
  const { message } = isDiskFull(error) ? storageFull() : new Error('See the log.')
  console.error(`Void stopped, because its embedded database did. ${message} Then start Void again.`)
  process.exit(1)
}
