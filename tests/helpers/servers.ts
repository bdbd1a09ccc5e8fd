// Several Voids over one database, as two servers on one Postgres are. On PGlite, which has one process, they share its
// connection; on Postgres each has a pool and a listening connection of its own.

import type { CallModel } from '../../lib/ai/model.ts'
import type { Companion } from '../../lib/companion/companion.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { type BuildOptions, buildApp, type TestApp } from './build-app.ts'
import { directUrlOf } from './direct-url.ts'
import { listen } from './listen.ts'
import { whenOver } from './when-over.ts'

export type TestServer = TestApp & {
  url: string
  companion: Companion
  /** Its process is gone: nothing that it asks of the database from now on comes back. */
  kill(): void
  /** Holds what reads pages until the returned function is called. */
  holdPages(): () => void
  /** Ends its connections, as the end of the test file does. */
  disconnect(): Promise<void>
}

/** A server of its own over the same database. */
export async function startServer(
  shared: Database,
  callModel: CallModel,
  options: Pick<BuildOptions, 'publicUrl'> = {},
): Promise<TestServer> {
  const { own, disconnect } = await reopen(shared)
  const { database, kill, holdPages } = mortal(own)
  const built = await buildApp({ ...options, database, callModel })
  return {
    ...built,
    url: await listen(built.app),
    companion: built.deps.companion,
    kill,
    holdPages,
    disconnect,
  }
}

async function reopen(shared: Database): Promise<{ own: Database; disconnect: () => Promise<void> }> {
  if (shared.engine === 'pglite') return { own: shared, disconnect: async () => {} }
  const url = String(Reflect.get(shared.pool.options, 'connectionString'))
  const own = await openDatabase({ url, directUrl: directUrlOf(url) })
  let closed: Promise<void> | null = null
  const disconnect = () => (closed ??= own.close())
  whenOver(disconnect)
  return { own, disconnect }
}

/** A database as a process sees it that can be killed. */
export function mortal(database: Database): Pick<TestServer, 'kill' | 'holdPages'> & { database: Database } {
  let dead = false
  let pages = Promise.resolve()
  const alive = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = dead ? new Promise<Result>(() => {}) : await run()
    return dead ? await new Promise<Result>(() => {}) : await result
  }
  const query: Database['query'] = async (text, values) => {
    if (/\bfrom pages\b/.test(text)) await pages
    return await alive(() => database.query(text, values))
  }
  return {
    database: {
      ...database,
      query,
      transaction: (work) => alive(() => database.transaction(work)),
      notifications: {
        ...database.notifications,
        notify: (channel, payload) => dead || database.notifications.notify(channel, payload),
        listen: (channel, handler, onGap) =>
          database.notifications.listen(channel, (payload) => dead || handler(payload), onGap),
      },
    },
    kill: () => {
      dead = true
    },
    holdPages: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      pages = promise
      return resolve
    },
  }
}

/** Makes the leases of all running turns run out, as time would. */
export const expireLeases = (database: Database) =>
  database.query("update turns set lease_until = now() - interval '1 second' where status = 'running'")
