// Short words between the servers on one Postgres, by LISTEN and NOTIFY. They say that something may be worth a look
// and are allowed to get lost: whoever relies on one also looks by itself from time to time. On PGlite there is one
// process, and they are function calls.

import pg from 'pg'

/** At most 7,900 bytes, as Postgres wants it. Must not throw. */
type NotificationHandler = (payload: string) => void

export type Notifications = {
  /** Tells all servers, this one included. Never rejects. */
  notify(channel: string, payload: string): void
  /**
   * `onGap`, which must not throw, is called when words may have been missed and are heard again. The function returned
   * ends it.
   */
  listen(channel: string, handler: NotificationHandler, onGap?: () => void): () => void
  close(): Promise<void>
}

export function createLocalNotifications(): Notifications {
  const handlers = createHandlers()
  return {
    notify: (channel, payload) => handlers.tell(channel, payload),
    listen: (channel, handler) => handlers.add(channel, handler),
    close: async () => {},
  }
}

export type PostgresNotificationsOptions = {
  url: string
  /** Sends the statement, on any connection. */
  query: (text: string, values: unknown[]) => Promise<unknown>
  onError: (error: Error) => void
  /** Milliseconds until a connection that broke is opened again. */
  reconnectMs?: number
}

/** One connection of its own that listens, opened when somebody first does. */
export function createPostgresNotifications(options: PostgresNotificationsOptions): Notifications {
  const { url, query, onError, reconnectMs = 1000 } = options
  const handlers = createHandlers()
  const gaps = new Set<() => void>()
  let client: Promise<pg.Client | null> | null = null
  let wasOpen = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  return {
    notify(channel, payload) {
      if (!closed) query('select pg_notify($1, $2)', [channel, payload]).catch(onError)
    },

    listen(channel, handler, onGap) {
      const isNew = !handlers.has(channel)
      const remove = handlers.add(channel, handler)
      if (onGap) gaps.add(onGap)
      if (!client) client = connect()
      else if (isNew) void client.then((open) => open && listenOn(open, channel).catch(onError))
      return () => {
        remove()
        if (onGap) gaps.delete(onGap)
      }
    },

    async close() {
      closed = true
      clearTimeout(timer)
      const open = await client
      await open?.end().catch(() => {})
    },
  }

  async function connect(): Promise<pg.Client | null> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5000 })
    const reconnect = (error: Error) => {
      if (closed) return
      onError(error)
      clearTimeout(timer)
      timer = setTimeout(() => {
        client = connect()
      }, reconnectMs)
    }
    try {
      fresh.on('error', (error) => {
        fresh.end().catch(() => {})
        reconnect(error)
      })
      fresh.on('notification', ({ channel, payload = '' }) => handlers.tell(channel, payload))
      await fresh.connect()
      for (const channel of handlers.channels()) await listenOn(fresh, channel)
      if (wasOpen) for (const tell of gaps) tell()
      wasOpen = true
      return fresh
    } catch (error) {
      await fresh.end().catch(() => {})
      reconnect(error instanceof Error ? error : new Error(String(error)))
      return null
    }
  }
}

/** Channel names are our own constants, which need no more than quoting. */
const listenOn = (client: pg.Client, channel: string) =>
  client.query(`listen ${pg.escapeIdentifier(channel)}`)

function createHandlers() {
  const byChannel = new Map<string, Set<NotificationHandler>>()
  return {
    has: (channel: string) => byChannel.has(channel),
    channels: () => [...byChannel.keys()],
    tell(channel: string, payload: string): void {
      for (const handler of [...(byChannel.get(channel) ?? [])]) handler(payload)
    },
    add(channel: string, handler: NotificationHandler): () => void {
      const handlers = byChannel.get(channel) ?? new Set()
      byChannel.set(channel, handlers.add(handler))
      return () => handlers.delete(handler)
    },
  }
}
