// The life of a server: migrate → assemble → listen → work → stop on a signal.

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Deps } from '../api/deps.ts'
import type { Authentication } from '../auth/authenticate.ts'
import { loadKeyring } from '../auth/secrets/master-key.ts'
import { AppError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import { version } from '../core/version.ts'
import type { DataFolder } from '../db/data-folder.ts'
import { migrate } from '../db/migrate.ts'
import type { Database } from '../db/pool.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import { fillWelcome, openWelcome } from '../files/import/welcome.ts'
import { startMaintenance } from '../ops/maintenance/start.ts'
import { createTelemetry, type Tracing } from '../ops/telemetry/telemetry.ts'
import { createApp, createClose, createHttpServer } from './app.ts'
import { assemble } from './assemble.ts'
import { type Config, embeddingSettings } from './config.ts'
import { stopWhenAsked } from './stop.ts'

type ServeOptions = {
  config: Config
  logger: Logger
  folder: DataFolder
  ownerToken: string
  database: Database
  /** The npm that started this process; its end is a request to stop. */
  npm: number | null
}

/** Returns once it listens. Closes the database and releases the folder when the process is asked to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, logger, folder, ownerToken, database, npm } = options
  await migrate(database)

  const telemetry = createTelemetry(await loadTracing(config, logger))
  const keyring = loadKeyring(config, folder.path)
  const deps = assemble(config, { database, ownerToken, keyring, logger, telemetry })
  await deps.secrets.load([embeddingSettings(config)?.apiKey ?? null])
  await deps.ai.connections.load()
  if (database.engine === 'pglite') await deps.companion.expireLeases()
  const welcome = createWelcome(deps, await openWelcome(deps.database))
  await deps.content.imports.resume()
  const server = createHttpServer(createApp(deps, config))
  const closeServer = createClose(server)
  const url = await listen(server, config)
  // New messages do not wait for turns that a crash left.
  const recovery = deps.companion.startRecovery()
  const removeServerFile = writeServerFile(folder.path, url)
  const stopBackups = deps.server.backup?.start()
  const stopWatching = startWatching(deps.server)
  const { kinds, search } = deps
  const { now } = deps.server
  const stopMaintenance = startMaintenance({ database: deps.database, kinds, search, logger, now }, config)
  const stopWork = startWork(deps)

  stopWhenAsked(async ({ graceMs, handOverMs, partingMs, tidyMs }) => {
    const graceEnds = performance.now() + graceMs
    stopWatching()
    void recovery.then((stopRecovery) => stopRecovery())
    // It still listens: readers of turns may go on, all other requests get a 503.
    await deps.companion.drain(graceMs, handOverMs)
    deps.server.live.close()
    await closeServer(Math.max(partingMs, graceEnds - performance.now()))
    setTimeout(endUntidily, tidyMs)
    await Promise.all([stopMaintenance(), stopWork()])
    await Promise.all([deps.content.imports.close(), deps.threads.close(), welcome.ended()])
    deps.secrets.close()
    deps.ai.connections.close()
    await deps.connections.close()
    await stopBackups?.()
    await telemetry.close()
    await database.close()
    removeServerFile()
    folder.release()
  }, npm)
  // Printed last: a supervisor may stop the server as soon as it sees this.
  await announce(config, url, deps.server.authentication, deps.ai.models.current())
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
  callRunner,
  mail,
  glance,
  indexing: { indexer, embedding },
}: Deps): () => Promise<void> {
  const parts = [callRunner, mail, glance, indexer, ...(embedding ? [embedding] : [])]
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
  return `It cannot listen on ${host}:${port}: ${error.message}.`
}

async function announce(
  config: Config,
  url: string,
  { createSignInCode }: Authentication,
  model: { mode: string; name: string },
): Promise<void> {
  const companion =
    model.mode === 'offline'
      ? 'The companion is offline: it searches, quotes and drafts simple changes. Set ANTHROPIC_API_KEY to connect a model.'
      : `The companion answers with ${model.name}.`
  const page = `${config.publicUrl ?? url}/sign-in`
  // An owner who set the token knows it; one whose token was made here needs the link.
  const signIn = config.ownerToken
    ? page
    : `${page}?code=${(await createSignInCode()).code}\nThe link works once, within ten minutes. For a new one: npm run sign-in`
  console.log(`Void ${version} is listening on ${url}\nSign in: ${signIn}\n${companion}`)
}

/** Ends a stop that takes too long. What was acknowledged survives this as it survives a crash. */
function endUntidily(): void {
  console.error(
    'Void was stopped before shutdown finished: the database may be unavailable, or a backup still running.',
  )
  process.exit(1)
}
