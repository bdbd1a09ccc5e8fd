// The composition root: configuration → data folder → database → migrations → app → listen → shut down.

import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { assemble } from './assemble.ts'
import { keepOwnerToken } from './auth/owner-token.ts'
import { createModelProvider } from './companion/model-provider.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { claimDataFolder } from './db/data-folder.ts'
import { migrate } from './db/migrate.ts'
import { type Database, openDatabase } from './db/pool.ts'
import { kinds } from './entities/kinds.ts'
import { AppError } from './errors.ts'
import { welcome } from './import/welcome.ts'
import { createLogger, type Logger } from './logger.ts'
import { startNightlyBackup } from './maintenance/nightly-backup.ts'
import { startMaintenance } from './maintenance/start.ts'
import { version } from './version.ts'

/** How long a stop waits: for answers that are being written, for handing them over, for parting, for all the rest. */
const graceMs = 10_000
const handOverMs = 2000
const partingMs = 1000
const tidyMs = 5000

try {
  await start(loadConfig())
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof AppError)) throw error
  console.error(`Void cannot start. ${error.message}`)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel)
  const folder = claimDataFolder(config.dataDir, { exclusive: config.databaseUrl === null })
  const ownerToken = config.ownerToken ?? keepOwnerToken(folder.path)
  const database = await openDatabase({
    url: config.databaseUrl ?? undefined,
    folder: folder.store,
    maxConnections: config.databasePoolSize,
    onConnectionError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  })
  await migrate(database)

  const now = () => new Date()
  const { trashDays, draftLimits, searchLanguages, embedding, prices, dailyTokens } = config
  const models = createModelProvider(config.model, { now })
  const importFolder = join(folder.path, 'imports')
  const deps = assemble({
    database,
    kinds,
    models,
    ownerToken,
    logger,
    now,
    trashDays,
    searchLanguages,
    embedding,
    draftLimits,
    prices,
    dailyTokens,
    publicUrl: config.publicUrl,
    version,
    importFolder,
  })
  const stopKeeping = await deps.companion.keepTurns({ alone: database.engine === 'pglite' })
  await welcome(deps)
  await deps.imports.resume()
  const app = createApp(deps, {
    allowedHosts: [...config.allowedHosts, ...(config.publicUrl ? [new URL(config.publicUrl).hostname] : [])],
    trustProxy: config.trustProxy,
  })

  const server = createServer(app)
  const url = await listen(server, config)
  const serverFile = join(folder.path, 'server.json')
  writeFileSync(serverFile, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
  announce(config, url, ownerToken, models.current())
  const stopBackups = startBackups(config, folder.path, database, logger)
  const stopMaintenance = startMaintenance(deps, trashDays)
  const stopIndexing = deps.indexKeeper.start()
  const stopEmbedding = await deps.embedding?.start()

  stopOnSignal(async () => {
    stopMaintenance()
    stopKeeping()
    deps.live.close()
    await closeServer(server, () => deps.companion.drain(graceMs, handOverMs))
    setTimeout(endUntidily, tidyMs)
    await Promise.all([stopIndexing(), stopEmbedding?.()])
    await deps.imports.close()
    await stopBackups()
    await database.close()
    rmSync(serverFile, { force: true })
    folder.release()
  })
}

function startBackups(
  config: Config,
  folder: string,
  database: Database,
  logger: Logger,
): () => Promise<void> {
  if (!config.backup) return async () => {}
  if (database.engine !== 'pglite') {
    logger.warn('BACKUP_DIR is for the embedded database; back up a Postgres server with pg_dump')
    return async () => {}
  }
  const { folder: target, keep } = config.backup
  return startNightlyBackup({ database, folder, target, keep, logger, now: () => new Date() })
}

/** Listens and returns the address under which this machine reaches the server. */
async function listen(server: Server, { host, port }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AppError('cannot_listen', 500, whyNot(cause, host, port), { cause })),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : isIPv6(host) ? `[${host}]` : host
  return `http://${reachable}:${address.port}`
}

function whyNot(error: Error, host: string, port: number): string {
  const code: unknown = Reflect.get(error, 'code')
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to one above 1023.`
  return `It cannot listen on ${host}:${port}: ${error.message}.`
}

function announce(
  config: Config,
  url: string,
  ownerToken: string,
  model: { mode: string; name: string },
): void {
  const link = `${config.publicUrl ?? url}/sign-in?token=${encodeURIComponent(ownerToken)}`
  const companion =
    model.mode === 'offline'
      ? 'The companion is offline: it searches, quotes and drafts simple changes. Set ANTHROPIC_API_KEY to connect a model.'
      : `The companion answers with ${model.name}.`
  // A token that the owner set is known to the owner; one that was made here has to be told.
  const signIn = config.ownerToken ? `${config.publicUrl ?? url}/sign-in` : link
  console.log(`Void ${version} is listening on ${url}\nSign in: ${signIn}\n${companion}`)
}

/** Runs `stop` on the first signal; a second one ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error('Void did not stop cleanly.', error)
          process.exit(1)
        },
      )
    })
  }
}

/**
 * Takes no new requests, stops the turns, and waits for the answers under way, at most the grace time from the beginning;
 * readers of turns have a moment after that to be told where they go on.
 */
async function closeServer(server: Server, stopTurns: () => Promise<void>): Promise<void> {
  const graceEnds = performance.now() + graceMs
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await stopTurns()
  const late = setTimeout(
    () => server.closeAllConnections(),
    Math.max(partingMs, graceEnds - performance.now()),
  )
  await closed
  clearTimeout(late)
}

/** Some things cannot be waited for. What was acknowledged survives this as it survives a crash. */
function endUntidily(): void {
  console.error('Void stopped in the middle of closing: the database may be away, or a backup takes long.')
  process.exit(1)
}
