// The life of a server: migrate → assemble → listen → work → stop on a signal.

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Deps } from '../api/deps.ts'
import { loadKeyring } from '../auth/secrets/master-key.ts'
import { AppError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import { systemReason } from '../core/system-error.ts'
import { version } from '../core/version.ts'
import type { DataFolder } from '../db/data-folder.ts'
import { migrate } from '../db/migrate.ts'
import type { Database } from '../db/pool.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import { fillWelcome, openWelcome } from '../files/import/welcome.ts'
import { startMaintenance } from '../ops/maintenance/start.ts'
import { createTelemetry, type Tracing } from '../ops/telemetry/telemetry.ts'
import { announce } from './announce.ts'
import { createApp, createClose, createHttpServer } from './app.ts'
import { assemble } from './assemble.ts'
import { type Config, embeddingSettings } from './config.ts'
import type { Console } from './console.ts'
import { type StopLimits, stopWhenAsked } from './stop.ts'

type ServeOptions = {
  config: Config
  console: Console
  logger: Logger
  folder: DataFolder
  ownerToken: string
  database: Database
  /** The npm that started this process; its end is a request to stop. */
  npm: number | null
  /** Ends what signals do while the server starts. */
  goOn: () => void
}

/** Returns once it listens. Closes the database and releases the folder when the process is asked to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, console, logger, folder, ownerToken, database, npm } = options
  await migrate(database)

  const telemetry = createTelemetry(await loadTracing(config, logger))
  const keyring = loadKeyring(config, folder.path)
  const deps = assemble(config, { database, ownerToken, keyring, logger, telemetry })
  await deps.secrets.load([embeddingSettings(config)?.apiKey ?? null])
  await deps.ai.connections.load()
  await deps.server.ownerZone.load()
  if (database.engine === 'pglite') await deps.companion.expireLeases()
  const welcome = createWelcome(deps, await openWelcome(deps.database))
  await deps.content.imports.resume()
  const server = createHttpServer(createApp(deps, config))
  const closeServer = createClose(server)
  const url = await listen(server, config)
  // New messages do not wait for turns that a crash left.
  const recovery = deps.companion.startRecovery()
  const removeServerFile = writeServerFile(folder.path, url)
  void deps.content.naming.resume().catch((err) => logger.warn({ err }, 'conversations not described'))
  const stopBackups = deps.server.backup?.start()
  const stopWatching = startWatching(deps.server)
  const { kinds, search } = deps
  const { now } = deps.server
  const stopMaintenance = startMaintenance({ database: deps.database, kinds, search, logger, now }, config)
  const stopWork = startWork(deps)

  const stop = async ({ graceMs, handOverMs, partingMs, tidyMs }: StopLimits) => {
    const graceEnds = performance.now() + graceMs
    stopWatching()
    void recovery.then((stopRecovery) => stopRecovery())
    // It still listens: readers of turns may go on, all other requests get a 503.
    await deps.companion.drain(graceMs, handOverMs)
    deps.server.live.close()
    await closeServer(Math.max(partingMs, graceEnds - performance.now()))
    setTimeout(() => endUntidily(console), tidyMs)
    await Promise.all([stopMaintenance(), stopWork()])
    await Promise.all([deps.content.imports.close(), deps.threads.close(), welcome.ended()])
    deps.secrets.close()
    deps.ai.connections.close()
    deps.server.ownerZone.close()
    await deps.connections.close()
    await stopBackups?.()
    await telemetry.close()
    await database.close()
    removeServerFile()
    folder.release()
  }
  options.goOn()
  stopWhenAsked(stop, { parent: npm, console })
  // Printed last: a supervisor may stop the server as soon as it sees this.
  await announce({
    config,
    console,
    url,
    authentication: deps.server.authentication,
    model: deps.ai.models.current(),
    byNpm: npm !== null,
  })
  welcome.begin()
}

/** Fills the Welcome Space after the start: it takes longer than the rest of a first start. */
function createWelcome({ database, content, server: { logger } }: Deps, unfilled: SpaceRow | null) {
  let filled = Promise.resolve()

  return {
    begin() {
      if (unfilled) filled = fillWelcome({ database, ...content }, unfilled).catch(notFilled)
    },
    ended: () => filled,
  }

  function notFilled(error: unknown): void {
    logger.error({ err: error }, 'Welcome Space not filled; will be resumed at the next start')
  }
}

/** Loads the SDK, which takes 100 ms and 20 MB, only where traces are exported. */
async function loadTracing(config: Config, logger: Logger): Promise<Tracing | null> {
  const { otelExporterOtlpEndpoint: endpoint, otelServiceName: serviceName } = config
  if (!endpoint) return null
  const { createTracing } = await import('../ops/telemetry/tracing.ts')
  return createTracing({ endpoint, serviceName, version, instance: randomUUID(), logger })
}

function startWatching({ stalls, telemetry }: Deps['server']): () => void {
  telemetry.start()
  return stalls.start()
}

/** Background work beside maintenance. */
function startWork({
  content: { folders },
  callRunner,
  mail,
  glance,
  routines,
  indexing: { indexer, embedding },
}: Deps): () => Promise<void> {
  const parts = [callRunner, mail, glance, routines, folders, indexer, ...(embedding ? [embedding] : [])]
  const stops = parts.map((part) => part.start())
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Tells the commands where this server is, until the process ends. */
function writeServerFile(folder: string, url: string): () => void {
  const file = join(folder, 'server.json')
  writeFileSync(file, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
  process.on('exit', remove)
  return remove

  function remove(): void {
    // The next server may have written its own by the end of this process.
    process.off('exit', remove)
    rmSync(file, { force: true })
  }
}

/** Listens and returns the server's address on this machine. */
async function listen(server: Server, { host, port }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AppError('cannot_listen', 500, rejectionReason(cause, host, port), { cause })),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server has no port')
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : isIPv6(host) ? `[${host}]` : host
  return `http://${reachable}:${address.port}`
}

function rejectionReason(error: Error, host: string, port: number): string {
  const code: unknown = Reflect.get(error, 'code')
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one.`
  if (code === 'EACCES') return `Port ${port} requires privileges. Set PORT to one above 1023.`
  const reason = systemReason(error) ?? error.message
  return `It cannot listen on ${host}:${port}: ${reason}. Set HOST to an address of this machine.`
}

/** Ends a stop that takes too long. What was acknowledged survives this as it survives a crash. */
function endUntidily(console: Console): void {
  console.error(
    'Void was stopped before shutdown finished: the database may be unavailable, or a backup still running.',
  )
  process.exit(1)
}
