// Connections to sources: opened when one is asked for something, shared by all who ask, closed when idle.

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Secrets } from '../../auth/secrets/secrets.ts'
import type { SourceSecrets } from '../../auth/secrets/source-secrets.ts'
import { AppError } from '../../core/errors.ts'
import { createScrubber, type Scrubber } from '../../core/scrubber.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { SourceRow } from '../../db/repos/sources.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { type Connection, connect, messageOf } from './connect.ts'
import { type Sandbox, sourcesFolder } from './sandbox/sandbox.ts'
import type { SourceAccess } from './sign-in/access.ts'
import { isSignInNeeded } from './sign-in/discover.ts'
import { type SourceSettings, splitScheme } from './source-settings.ts'
import { findWhole, looksSecret } from './tokens-in-settings.ts'

export type Connections = {
  /**
   * Runs `work` with a connection to the source. Where the server has lost the session, or refuses the key that the
   * connection was opened with, one is opened anew and `work` runs once more, if it may. Rejects with an `AppError`
   * `source_failed` whose message says why, in one line without any of the source's secrets. Another `AppError` of
   * `work` is passed on.
   */
  use<Result>(
    source: SourceRow,
    work: (connection: Connection) => Promise<Result>,
    options?: UseOptions,
  ): Promise<Result>
  /** Ends the connection to a source whose settings changed; a program that does not end at once is not waited for. */
  drop(id: string): Promise<void>
  close(): Promise<void>
}

type UseOptions = {
  /** Whether `work` may run once more, asked when it has failed. Default: always. */
  mayRepeat?: () => boolean
  /** Whether a connection that is open already is left to those who use it, and another one opened. Default: no. */
  anew?: boolean
}

export type ConnectionsDeps = {
  /** Default of `ofSources`: no source has tokens in its settings. */
  secrets: Pick<Secrets, 'resolve' | 'current'> & { ofSources?: Pick<SourceSecrets, 'read'> }
  /** Default: no sign-in. */
  authorize?: SourceAccess['authorize']
  /** Default: programs run without one. */
  sandbox?: Sandbox
  /** Default: knows what sources are given. */
  scrubber?: Scrubber
  /** Void's own: programs have their folders below it. */
  dataFolder?: string | undefined
  version: string
  threads: Pick<TextThreads, 'run'>
  /** Milliseconds. */
  idleMs?: number
  connectMs?: number
}

type Held = {
  opening: Promise<Connection>
  /** Breaks the opening off. */
  controller: AbortController
  isOpen: boolean
  /** The settings that it was opened with, references replaced. */
  basis: string
  users: number
  /** Runs from its last answer on. */
  timer: NodeJS.Timeout
  /** Whether that was too long ago: it ends with its last user. */
  isIdle: boolean
}

const maxOpen = 20

const dropMs = 500

export function createConnections(deps: ConnectionsDeps): Connections {
  const { idleMs = 5 * 60_000, connectMs = 20_000, scrubber = createScrubber() } = deps
  const held = new Map<string, Held>()

  return {
    async use(source, work, { mayRepeat = () => true, anew = false } = {}) {
      const first = await attempt(source, work, anew)
      const last = first.reopens && mayRepeat() ? await attempt(source, work, false) : first
      if (last.failed) throw last.error
      return last.result
    },

    async drop(id) {
      const one = held.get(id)
      held.delete(id)
      await Promise.race([end(one), wait(dropMs, undefined, { ref: false })])
    },

    async close() {
      const all = [...held.values()]
      held.clear()
      await Promise.all(all.map(end))
    },
  }

  async function attempt<Result>(
    source: SourceRow,
    work: (connection: Connection) => Promise<Result>,
    anew: boolean,
  ): Promise<Attempt<Result>> {
    const one = await take(source, anew)
    const { isOpen: wasOpen } = one
    let answered = false
    try {
      const result = await work(await one.opening)
      answered = true
      return { failed: false, reopens: false, result }
    } catch (error) {
      answered = error instanceof AppError && error.code !== 'source_failed'
      const connection = await one.opening.catch(() => null)
      const isLost = connection?.hasSession === true && lostSession.has(statusOf(error))
      const isRefused = connection !== null && isKeyRefused(source, error)
      if (isLost || isRefused) await leave(source.id, one)
      const reopens = isLost || (isRefused && wasOpen)
      if (answered || isSignInNeeded(error)) return { failed: true, reopens, error }
      return { failed: true, reopens, error: failure(error, connection, scrubber) }
    } finally {
      await release(source.id, one, answered)
    }
  }

  async function take(source: SourceRow, anew: boolean): Promise<Held> {
    for (let known = held.get(source.id); known; known = held.get(source.id)) {
      known.users += 1
      const isUsed = !(anew && known.isOpen) && (await isUsable(known)) && isCurrent(source, known)
      if (isUsed && held.get(source.id) === known) return known
      known.users -= 1
      await leave(source.id, known)
    }
    if (held.size >= maxOpen) {
      throw new AppError('source_failed', 502, `${maxOpen} sources are already in use. Try again later.`)
    }
    return start(source)
  }

  function start(source: SourceRow): Held {
    const one: Held = {
      opening: Promise.resolve().then(() => open(source, one)),
      controller: new AbortController(),
      isOpen: false,
      basis: '',
      users: 1,
      timer: setTimeout(() => {
        one.isIdle = true
        if (one.users === 0) void leave(source.id, one)
      }, idleMs),
      isIdle: false,
    }
    one.timer.unref()
    one.opening.catch(() => {})
    held.set(source.id, one)
    return one
  }

  async function open(source: SourceRow, one: Held): Promise<Connection> {
    const { ofSources = noTokens } = deps.secrets
    const whole = await findWhole(ofSources, source)
    if (!whole) throw new AppError('source_failed', 502, tokensMissing)
    for (const [n, token] of whole.tokens.entries()) scrubber.add(token, `source:${source.id}:${n}`)
    const resolved = await resolveValues(source, deps.secrets, scrubber)
    one.basis = basisOf(resolved)
    const settings = { ...resolved, url: whole.url, args: whole.args }
    const folder = join(sourcesFolder(deps.dataFolder), source.id)
    const authProvider = deps.authorize?.(source)
    const { version, threads, sandbox } = deps
    const { signal } = one.controller
    const given = { settings, folder, sandbox, version, threads, signal, timeoutMs: connectMs }
    const connection = await connect({ ...given, ...(authProvider ? { authProvider } : {}) })
    one.isOpen = true
    return connection
  }

  /** Whether its settings, and what they refer to, are what they were when it was opened. */
  function isCurrent(source: SourceRow, { basis }: Held): boolean {
    const current = (all: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(all).map(([name, text]) => {
          const { scheme, rest } = splitScheme(text)
          return [name, `${scheme}${rest === '' ? '' : deps.secrets.current(rest)}`]
        }),
      )
    return basis === basisOf({ ...source, env: current(source.env), headers: current(source.headers) })
  }

  async function release(id: string, one: Held, answered: boolean): Promise<void> {
    one.users -= 1
    const isHeld = held.get(id) === one
    if (answered && isHeld) {
      one.isIdle = false
      one.timer.refresh()
    }
    if (one.users === 0 && (!isHeld || one.isIdle || !(await isUsable(one)))) await leave(id, one)
  }

  /** Leaves it to those who use it: it ends with the last of them. */
  async function leave(id: string, one: Held): Promise<void> {
    if (held.get(id) === one) held.delete(id)
    if (one.users === 0) await end(one)
  }
}

const noTokens = { read: async () => null }

const tokensMissing = 'A token of its address or its arguments can no longer be read. Enter it again.'

type Attempt<Result> = {
  /** Whether a connection opened anew may do better. */
  reopens: boolean
} & ({ failed: false; result: Result } | { failed: true; error: unknown })

/** A token has another value only with another `updated_at`. */
const basisOf = (source: SourceSettings & Pick<SourceRow, 'updated_at'>): string => {
  const { transport, command, args, env, url, headers, network, unconfined, updated_at } = source
  return JSON.stringify([transport, command, args, env, url, headers, network, unconfined, updated_at])
}

/** What a server answers for a session that it does not know; by the protocol it is 404. */
const lostSession: ReadonlySet<number | null> = new Set([400, 404])

/** Of an answer over http that was an error. */
const statusOf = (error: unknown): number | null => {
  if (error instanceof AppError) return null
  const status: unknown = Reflect.get(Object(error), 'status')
  return typeof status === 'number' ? status : null
}

const isKeyRefused = ({ headers }: SourceRow, error: unknown): boolean =>
  Object.keys(headers).length > 0 && (isSignInNeeded(error) || [401, 403].includes(statusOf(error) ?? 0))

const isUsable = async (one: Held): Promise<boolean> =>
  await one.opening.then(
    ({ isOpen }) => isOpen(),
    () => false,
  )

async function end(one: Held | undefined): Promise<void> {
  if (!one) return
  clearTimeout(one.timer)
  one.controller.abort()
  await one.opening.then(
    ({ close }) => close().catch(() => {}),
    () => {},
  )
}

/** The settings with references replaced; what they stood for is in use from now on. */
async function resolveValues(
  source: SourceRow,
  { resolve }: Pick<Secrets, 'resolve'>,
  scrubber: Scrubber,
): Promise<SourceRow> {
  const resolveAll = async (all: Record<string, string>) => {
    const entries = Object.entries(all).map(async ([name, text]) => {
      const { scheme, rest } = splitScheme(text)
      const value = rest === '' ? '' : await resolve(rest)
      if (value === null) {
        throw new AppError('source_failed', 502, `${name} refers to ${rest}, which was not found.`)
      }
      if (looksSecret(name) || rest !== value) scrubber.add(value, `source:${source.id}:${name}`)
      return [name, `${scheme}${value}`] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  return { ...source, env: await resolveAll(source.env), headers: await resolveAll(source.headers) }
}

function failure(error: unknown, connection: Connection | null, { scrub }: Scrubber): AppError {
  const isOver = connection !== null && !connection.isOpen()
  const said = (isOver ? connection.problem() : null) ?? messageOf(error)
  // A process may print what it was given.
  const line = cleanLine(scrub(said))
  return new AppError('source_failed', 502, line.slice(0, 500) || 'It failed without giving a reason.', {
    cause: error,
  })
}
