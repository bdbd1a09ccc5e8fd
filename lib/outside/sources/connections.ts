// Connections to sources: opened when one is asked for something, shared by all who ask, closed when idle.

import { join } from 'node:path'
import type { Secrets } from '../../auth/secrets/secrets.ts'
import { AppError } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { SourceRow } from '../../db/repos/sources.ts'
import { type Connection, connect, messageOf } from './connect.ts'
import { sourcesFolder } from './sandbox.ts'
import type { SourceAccess } from './sign-in/access.ts'
import { isSignInNeeded } from './sign-in/discover.ts'
import { looksSecret, type SourceSettings, splitScheme } from './source-settings.ts'

export type Connections = {
  /**
   * Runs `work` with a connection to the source. Rejects with an `AppError` `source_failed` whose message says why, in
   * one line without any of the source's secrets. Another `AppError` of `work` is passed on.
   */
  use<Result>(source: SourceRow, work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Ends the connection to a source whose settings changed. */
  drop(id: string): Promise<void>
  close(): Promise<void>
}

export type ConnectionsDeps = {
  secrets: Pick<Secrets, 'resolve'>
  /** Default: no sign-in. */
  authorize?: SourceAccess['authorize']
  /** Void's own: programs have their folders below it, and where there is a sandbox see nothing else of it. */
  dataFolder?: string | undefined
  version: string
  /** Milliseconds. */
  idleMs?: number
  connectMs?: number
}

type Held = { opening: Promise<Connection>; secrets: string[]; users: number; timer: NodeJS.Timeout | null }

const maxOpen = 20

export function createConnections(deps: ConnectionsDeps): Connections {
  const { idleMs = 5 * 60_000, connectMs = 20_000 } = deps
  const held = new Map<string, Held>()

  return {
    async use(source, work) {
      const one = await take(source)
      try {
        return await work(await one.opening)
      } catch (error) {
        if (error instanceof AppError && error.code !== 'source_failed') throw error
        if (isSignInNeeded(error)) throw error
        const connection = await one.opening.catch(() => null)
        throw failure(error, connection, one.secrets)
      } finally {
        await release(source.id, one)
      }
    },

    async drop(id) {
      const one = held.get(id)
      held.delete(id)
      await end(one)
    },

    async close() {
      const all = [...held.values()]
      held.clear()
      await Promise.all(all.map(end))
    },
  }

  async function take(source: SourceRow): Promise<Held> {
    const known = held.get(source.id)
    if (known && (await isUsable(known))) {
      known.users += 1
      if (known.timer) clearTimeout(known.timer)
      known.timer = null
      return known
    }
    if (held.size >= maxOpen && !held.has(source.id)) {
      throw new AppError('source_failed', 502, `${maxOpen} sources are in use already. Try again later.`)
    }
    const secrets: string[] = []
    const one: Held = { opening: open(source, secrets), secrets, users: 1, timer: null }
    one.opening.catch(() => {})
    held.set(source.id, one)
    return one
  }

  async function open(source: SourceRow, secrets: string[]): Promise<Connection> {
    const settings = await resolveValues(source, deps.secrets, secrets)
    const { dataFolder: hidden = null } = deps
    const folder = join(sourcesFolder(deps.dataFolder), source.id)
    const authProvider = deps.authorize?.(source, (token) => {
      if (!secrets.includes(token)) secrets.push(token)
    })
    const given = { settings, folder, hidden, version: deps.version, timeoutMs: connectMs }
    return await connect({ ...given, ...(authProvider ? { authProvider } : {}) })
  }

  async function release(id: string, one: Held): Promise<void> {
    one.users -= 1
    if (one.users > 0) return
    if (held.get(id) !== one || !(await isUsable(one))) {
      if (held.get(id) === one) held.delete(id)
      await end(one)
      return
    }
    if (one.users > 0) return
    one.timer = setTimeout(() => {
      if (held.get(id) === one) held.delete(id)
      void end(one)
    }, idleMs)
    one.timer.unref()
  }
}

const isUsable = async (one: Held): Promise<boolean> =>
  await one.opening.then(
    ({ isOpen }) => isOpen(),
    () => false,
  )

async function end(one: Held | undefined): Promise<void> {
  if (!one) return
  if (one.timer) clearTimeout(one.timer)
  await one.opening.then(
    ({ close }) => close().catch(() => {}),
    () => {},
  )
}

/** The settings with references replaced; what they stood for is added to `secrets`. */
async function resolveValues(
  source: SourceRow,
  { resolve }: Pick<Secrets, 'resolve'>,
  secrets: string[],
): Promise<SourceSettings> {
  const resolveAll = async (all: Record<string, string>) => {
    const entries = Object.entries(all).map(async ([name, text]) => {
      const { scheme, rest } = splitScheme(text)
      const value = rest === '' ? '' : await resolve(rest)
      if (value === null) {
        throw new AppError('source_failed', 502, `${name} refers to ${rest}, which was not found.`)
      }
      if (looksSecret(name) || rest !== value) secrets.push(value)
      return [name, `${scheme}${value}`] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  return { ...source, env: await resolveAll(source.env), headers: await resolveAll(source.headers) }
}

function failure(error: unknown, connection: Connection | null, secrets: readonly string[]): AppError {
  const isOver = connection !== null && !connection.isOpen()
  const said = (isOver ? connection.problem() : null) ?? messageOf(error)
  let line = cleanLine(said)
  // A process may print what it was given.
  for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(cleanLine(secret), '…')
  return new AppError('source_failed', 502, line.slice(0, 500) || 'It failed without a reason.', {
    cause: error,
  })
}
