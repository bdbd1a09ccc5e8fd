// Server-sent events, and the events of a turn as such a stream: https://html.spec.whatwg.org/multipage/server-sent-events.html

import type { Response } from 'express'
import type { ReadTurn } from '../companion/stream/read-turn.ts'
import type { Actor } from '../core/actor.ts'
import type { Deps } from './deps.ts'

type SseWriter = {
  /** Writes one event. After the reader has gone, nothing happens. */
  send(event: { id: number | string; type: string; data: unknown }): void
  /** Resolves when the reader has taken what was written, or is gone. One that takes nothing for long is dropped. */
  drained(): Promise<void>
  /** Ends the stream. `retryMs`: the reader is to come back after that time. */
  end(options?: { retryMs?: number }): void
}

type SseOptions = {
  /** Called once when the reader has gone, by its own doing or ours. */
  onClose: () => void
  heartbeatMs?: number
  /** Unread bytes at which a reader that does not keep up is dropped. */
  maxBufferedBytes?: number
}

/** Milliseconds for which a reader may take nothing while there is more for it. */
const patienceMs = 30_000

/**
 * Opens the stream. A comment keeps proxies awake, and a slow reader is dropped rather than buffered without end. What
 * is sent in one go, such as all the deltas of one packet from the model, is written in one piece.
 */
export function openSse(res: Response, options: SseOptions): SseWriter {
  const { onClose, heartbeatMs = 15_000, maxBufferedBytes = 1024 * 1024 } = options
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  res.socket?.setNoDelay(true)

  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
  res.on('error', () => {})
  res.on('close', () => {
    clearInterval(heartbeat)
    onClose()
  })

  // There is no body to a HEAD, and Node would hold the connection open for one.
  if (res.req.method === 'HEAD') res.end()

  let waiting = ''
  let scheduled = false
  schedule()

  function write(frame: string): void {
    waiting += frame
    schedule()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    process.nextTick(flush)
  }

  function flush(): void {
    scheduled = false
    if (res.destroyed || res.writableEnded) return
    if (waiting === '') {
      res.flushHeaders()
      return
    }
    // What counts is what lay there before: a reader that keeps up is not dropped for one long piece.
    if (res.writableLength > maxBufferedBytes) {
      res.destroy()
      return
    }
    res.write(waiting)
    waiting = ''
  }

  async function drained(): Promise<void> {
    if (waiting !== '') flush()
    if (!res.writableNeedDrain || res.destroyed) return
    const late = setTimeout(() => res.destroy(), patienceMs)
    await new Promise<void>((resolve) => {
      res.once('drain', resolve)
      res.once('close', resolve)
    })
    clearTimeout(late)
  }

  return {
    send({ id, type, data }) {
      write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    drained,
    end({ retryMs } = {}) {
      clearInterval(heartbeat)
      if (retryMs !== undefined) waiting += `retry: ${retryMs}\n\n`
      if (waiting !== '') flush()
      if (!res.writableEnded) res.end()
      // A reader that takes nothing would keep what it has not read for as long as it likes.
      const late = setTimeout(() => res.destroy(), patienceMs).unref()
      res.once('close', () => clearTimeout(late))
    },
  }
}

/** Milliseconds after which a reader that a stopping server lets go is to come back. */
const retryMs = 500

/** Streams the events of a turn after a given one until its last, or until the reader has gone or is signed out. */
export async function streamTurn(
  deps: Pick<Deps, 'companion' | 'server'>,
  { actor, res }: { actor: Actor; res: Response },
  { turn, after }: Pick<ReadTurn, 'turn' | 'after'>,
): Promise<void> {
  const gone = new AbortController()
  const sse = openSse(res, { onClose: () => gone.abort() })
  endWithSession(deps, { actor, res, end: () => gone.abort() })
  const end = await deps.companion.read({
    turn,
    after,
    onEvent: ({ seq, type, data }) => sse.send({ id: seq, type, data }),
    drained: sse.drained,
    signal: gone.signal,
  })
  sse.end(end === 'left' ? { retryMs } : {})
}

/** Calls `end` when the browser session that opened a stream is signed out, as long as the stream is open. */
export function endWithSession(
  { server: { authentication } }: Pick<Deps, 'server'>,
  { actor, res, end }: { actor: Actor; res: Response; end: () => void },
): void {
  if (actor.kind !== 'owner' || !actor.session_id) return
  res.once('close', authentication.watchSession(actor.session_id, end))
}
