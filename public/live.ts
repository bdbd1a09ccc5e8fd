// The one stream of events of this browser. The tab that holds the lock reads it and tells the others; when that tab
// closes, the next one takes over. Where the browser has no locks (plain http from afar), each tab reads its own.

import type { LiveEvent } from '../lib/contract/live.ts'
import { type Api, ApiError } from './api.ts'
import type { LiveSource } from './app.ts'
import { readEvents } from './sse.ts'

type Connection = 'connecting' | 'live' | 'lost'

export type LiveOptions = {
  api: Api
  onConnection: (connection: Connection) => void
  signal: AbortSignal
}

const channelName = 'void-live'
const firstWaitMs = 500
const longestWaitMs = 15_000
/** The server sends at least a comment this often, twice over. */
const silenceMs = 35_000

type Told = { event?: LiveEvent; connection?: Connection }

export function createLiveSource({ api, onConnection, signal }: LiveOptions): LiveSource {
  const handlers = new Set<(event: LiveEvent) => void>()
  const channel = new BroadcastChannel(channelName)
  signal.addEventListener('abort', () => channel.close())

  const hear = ({ event, connection }: Told) => {
    if (connection) onConnection(connection)
    if (event) for (const handler of [...handlers]) handler(event)
  }
  const tell = (told: Told) => {
    hear(told)
    if (!signal.aborted) channel.postMessage(told)
  }
  channel.onmessage = ({ data }) => hear(data)
  const read = () => readForever({ api, tell, signal })
  if (navigator.locks) navigator.locks.request(channelName, { signal }, read).catch(() => {})
  else read()

  return {
    on(handler, until) {
      if (until.aborted) return
      handlers.add(handler)
      until.addEventListener('abort', () => handlers.delete(handler), { once: true })
    },
    tell: (event) => tell({ event }),
  }
}

async function readForever({
  api,
  tell,
  signal,
}: {
  api: Api
  tell: (told: Told) => void
  signal: AbortSignal
}) {
  let lastId: string | null = null
  let wait = firstWaitMs
  let first = true

  while (!signal.aborted) {
    const watch = watchSilence(signal)
    try {
      const response = await api.fetch('/api/events', {
        headers: lastId ? { 'last-event-id': lastId } : {},
        signal: watch.signal,
        cache: 'no-store',
      })
      if (!response.body) throw new ApiError(0, 'unreachable', 'The stream has no body.')
      for await (const { id, type, data } of readEvents(watch.heed(response.body))) {
        const event = { type, data: JSON.parse(data) } as LiveEvent
        if (id) lastId = id
        wait = firstWaitMs
        // What the page shows is newer than its first connection; later ones may have missed something.
        if (event.type === 'hello' && first) event.data.resumed = true
        first = false
        tell({ event, ...(event.type === 'hello' ? { connection: 'live' } : {}) })
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) wait = longestWaitMs
    } finally {
      watch.end()
    }
    if (signal.aborted) return
    tell({ connection: 'lost' })
    await pause(wait * (0.75 + Math.random() / 2), signal)
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

/** A signal that is aborted when nothing has come through for too long: a laptop that slept has dead connections. */
function watchSilence(outer: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let timer = setTimeout(abort, silenceMs)
  outer.addEventListener('abort', abort, { once: true })

  return {
    signal: controller.signal,
    heed: (body: ReadableStream<Uint8Array>) =>
      body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, stream) {
            clearTimeout(timer)
            timer = setTimeout(abort, silenceMs)
            stream.enqueue(bytes)
          },
        }),
      ),
    end() {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    },
  }
}

/** Waits, or less when the network or the person comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const finish = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { signal: done.signal })
    window.addEventListener('online', finish, { signal: done.signal })
  })
}
