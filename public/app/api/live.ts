// The one stream of events of this browser. The tab that holds the lock reads it and broadcasts it to the others; when
// that tab closes, the next one takes over. Where the browser has no locks (plain http), each tab reads its own.

import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { ServerEvent } from '../../../lib/core/text/event-stream.ts'
import { ownName } from '../../ui/address.ts'
import { type Api, ApiError } from './api.ts'

type Connection = 'connecting' | 'live' | 'lost'

export type LiveSource = {
  /** Calls the listener on each event until the signal is aborted. After missed events: `hello` with `resumed` false. */
  on(handler: (event: LiveEvent) => void, signal: AbortSignal): void
  /** Tells the listeners what has come so far, and from then on at once: the views that were painted listen. */
  begin(): void
  /** Emits an event that is known from elsewhere, in every tab. */
  emit(event: LiveEvent): void
}

type LiveOptions = {
  api: Api
  onConnection: (connection: Connection) => void
  /** Called in every tab when the one that reads the stream was refused it. */
  onSignedOut: () => void
  signal: AbortSignal
}

const channelName = ownName('void-live')

const minWaitMs = 500

const maxWaitMs = 15_000

/** The server sends at least a comment this often, twice over. */
const silenceMs = 35_000

type Message = { event?: LiveEvent; id?: string | null; connection?: Connection; signedOut?: true }

export function createLiveSource({ api, onConnection, onSignedOut, signal }: LiveOptions): LiveSource {
  const handlers = new Set<(event: LiveEvent) => void>()
  const channel = new BroadcastChannel(channelName)
  signal.addEventListener('abort', () => channel.close())

  // The server painted the page as it was after this event.
  let lastId = document.documentElement.dataset.live ?? null
  let buffer: LiveEvent[] | null = []
  const tell = (event: LiveEvent) => {
    for (const handler of [...handlers]) handler(event)
  }
  const receive = ({ event, id, connection, signedOut }: Message) => {
    if (id) lastId = id
    if (signedOut) onSignedOut()
    if (connection) onConnection(connection)
    if (event) buffer ? buffer.push(event) : tell(event)
  }
  const broadcast = (message: Message) => {
    receive(message)
    if (!signal.aborted) channel.postMessage(message)
  }
  channel.onmessage = ({ data }) => receive(data)
  const read = () => readForever({ api, broadcast, lastId: () => lastId, signal })
  if (navigator.locks) navigator.locks.request(channelName, { signal }, read).catch(() => {})
  else read()

  return {
    on(handler, until) {
      if (until.aborted) return
      handlers.add(handler)
      until.addEventListener('abort', () => handlers.delete(handler), { once: true })
    },
    begin() {
      const events = buffer ?? []
      buffer = null
      for (const event of events) tell(event)
    },
    emit: (event) => broadcast({ event }),
  }
}

async function readForever({
  api,
  broadcast,
  lastId,
  signal,
}: {
  api: Api
  broadcast: (message: Message) => void
  /** Of the last event that any tab was told; null: none. */
  lastId: () => string | null
  signal: AbortSignal
}) {
  let wait = minWaitMs

  while (!signal.aborted) {
    const watch = watchSilence(signal)
    const last = lastId()
    try {
      const response = await api.fetch('/api/events', {
        headers: last ? { 'last-event-id': last } : {},
        signal: watch.signal,
        cache: 'no-store',
      })
      if (!response.body) throw new ApiError(0, 'unreachable', 'The response has no body.')
      for await (const { id, type, data } of readEvents(watch.heed(response.body))) {
        const event = { type, data: JSON.parse(data) } as LiveEvent
        wait = minWaitMs
        broadcast({ event, id, ...(event.type === 'hello' ? { connection: 'live' } : {}) })
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        wait = maxWaitMs
        broadcast({ signedOut: true })
      }
    } finally {
      watch.end()
    }
    if (signal.aborted) return
    broadcast({ connection: 'lost' })
    await pause(wait * (0.75 + Math.random() / 2), signal)
    wait = Math.min(wait * 2, maxWaitMs)
  }
}

/** A signal that is aborted after too long without data: a laptop that slept has dead connections. */
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

/** `readEvents` of the module that reads them, loaded with the first stream: a page is alive without it. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const { readEvents: read } = await import('../../../lib/core/text/event-stream.ts')
  yield* read(body)
}

/** Runs at most once in a while, and after the last call. A failure waits for the next event. */
export function gathered(run: () => Promise<void>, ms = 150): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      run().catch(() => {})
    }, ms)
  }
}
