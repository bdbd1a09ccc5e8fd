// Short words between the servers on one Postgres, by LISTEN and NOTIFY. They say that something may be worth a look
// and are allowed to get lost: whoever relies on one also looks by itself from time to time. On PGlite there is one
// process, and they are function calls.
//
// A pooler between may take LISTEN and never deliver anything. So the listening connection is sent a word of its own
// from time to time: while that does not arrive, every listener is told again and again that it may have missed some.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createGathering } from './gather.ts'

/** At most 7,900 bytes, as Postgres wants it. Must not throw. */
type NotificationHandler = (payload: string) => void

export type Notifications = {
  /** Tells all servers, this one included. Never rejects. */
  notify(channel: string, payload: string): void
  /**
   * `onGap`, which must not throw, is called when words may have been missed: when they are heard again, and from time
   * to time while they are not. The function returned ends it.
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
  /** Of the server itself; behind a pooler that shares sessions nothing is heard. */
  url: string
  /** Sends the statement, on any connection. */
  query: (text: string, values: unknown[]) => Promise<unknown>
  onError: (error: Error) => void
  /** Called once when words do not arrive though the connection is open, and listeners have to look by themselves. */
  onSilence?: (() => void) | undefined
  /** Milliseconds until a connection that broke is opened again. */
  reconnectMs?: number
  /** Milliseconds from one word to itself to the next, and between two looks of listeners that hear nothing. */
  probeMs?: number
}

const probeChannel = 'void_probe'

/** One connection of its own that listens, opened when somebody first does. */
export function createPostgresNotifications(options: PostgresNotificationsOptions): Notifications {
  const { url, onError, reconnectMs = 1000 } = options
  const handlers = createHandlers()
  const gaps = new Set<() => void>()
  const tellGaps = () => {
    for (const tell of [...gaps]) tell()
  }
  const probe = createProbe(options, tellGaps)
  const sender = createSender(options)
  let client: Promise<pg.Client | null> | null = null
  let wasOpen = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  return {
    notify(channel, payload) {
      if (!closed && sender.waiting() < maxWaiting) void sender.add({ channel, payload })
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
      probe.stop()
      const [open] = await Promise.all([client, sender.idle()])
      await open?.end().catch(() => {})
    },
  }

  async function connect(): Promise<pg.Client | null> {
    // Pipelined, because several channels may begin to be listened to at once.
    const connection = {
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      pipeline: true,
    }
    const fresh = new pg.Client(connection)
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
      fresh.on('notification', ({ channel, payload = '' }) => {
        if (channel === probeChannel) probe.hear(payload)
        else handlers.tell(channel, payload)
      })
      await fresh.connect()
      for (const channel of [probeChannel, ...handlers.channels()]) await listenOn(fresh, channel)
      if (wasOpen) tellGaps()
      wasOpen = true
      if (!closed) probe.start()
      return fresh
    } catch (error) {
      await fresh.end().catch(() => {})
      reconnect(error instanceof Error ? error : new Error(String(error)))
      return null
    }
  }
}

/** Words that wait for a database that is slow or away; more are lost. */
const maxWaiting = 10_000
/** For how long words are gathered, and how many one statement sends. */
const gathered = { forMs: 5, most: 1000 }

/** Sends words in their order; another connection may overtake. */
function createSender({ query, onError }: Pick<PostgresNotificationsOptions, 'query' | 'onError'>) {
  type Word = { channel: string; payload: string }
  return createGathering<Word, void>(gathered, async (words) => {
    await query(
      'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as words (channel, payload)',
      [words.map(({ channel }) => channel), words.map(({ payload }) => payload)],
    ).catch(onError)
    return []
  })
}

type Probe = {
  /** Sends the first word, and others from time to time. */
  start(): void
  hear(payload: string): void
  stop(): void
}

/** Finds out whether words arrive, by sending some to itself. */
function createProbe(
  { query, onSilence = () => {}, probeMs = 10_000 }: PostgresNotificationsOptions,
  tellGaps: () => void,
): Probe {
  const own = randomUUID()
  let heard = true
  let silent = false
  let timer: NodeJS.Timeout | undefined

  // Not on the connection that listens: a pooler would let it hear itself.
  function send(): void {
    heard = false
    // A database that is away is the pool's to report.
    query('select pg_notify($1, $2)', [probeChannel, own]).catch(() => {})
  }

  return {
    start() {
      clearInterval(timer)
      send()
      timer = setInterval(() => {
        if (!heard) {
          if (!silent) onSilence()
          silent = true
          tellGaps()
        }
        send()
      }, probeMs)
    },

    hear(payload) {
      if (payload !== own) return
      heard = true
      if (silent) tellGaps()
      silent = false
    },

    stop: () => clearInterval(timer),
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
