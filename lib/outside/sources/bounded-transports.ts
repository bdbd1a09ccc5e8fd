// The transports of the SDK, given nothing to parse but what a reader of messages let through.

import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type SafeFetch, toStream } from '../../core/net/safe-fetch.ts'
import { readEvents } from '../../core/text/event-stream.ts'
import { type MessageReader, maxMessageBytes } from './message-reader.ts'

/** Events or lines that are read without a pause. */
const atOnce = 50

/** Bytes of an answer over http that is an error. */
const maxErrorBytes = 100_000

/** Asks as `fetchOwn` does. The stream of what nobody asked for is not opened: Void lists tools before each call. */
export function fetchWithin(fetchOwn: SafeFetch, reader: MessageReader): SafeFetch {
  return async (url, init = {}) => {
    const isUnasked = init.method === 'GET' && !new Headers(init.headers).has('last-event-id')
    if (isUnasked) return new Response(null, { status: 405 })
    const response = await fetchOwn(url, init)
    const { status, statusText, headers } = response
    if (!response.body) return response
    const body = response.body.pipeThrough(limitBytes(reader))
    const answer = (content: ConstructorParameters<typeof Response>[0]) =>
      new Response(content, { status, statusText, headers })
    const type = headers.get('content-type') ?? ''
    if (response.ok && type.includes('event-stream')) return answer(toStream(encode(body, reader)))
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    if (response.ok && type.includes('json')) return answer(await reader.read(bytes))
    return answer(bytes.subarray(0, maxErrorBytes))
  }
}

function limitBytes(reader: MessageReader): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > maxMessageBytes) reader.refuse('It sent more than 4 MB in one answer.')
      controller.enqueue(chunk)
    },
  })
}

/** The events of a stream, as they came; how soon to come back is not for the other side to say. */
async function* encode(
  body: ReadableStream<Uint8Array>,
  reader: MessageReader,
): AsyncGenerator<Uint8Array, void> {
  let events = 0
  for await (const { id, type, data } of readEvents(body)) {
    const json = data === '' ? '' : await reader.read(Buffer.from(data))
    const lines = [`id: ${id}`, `event: ${type}`, ...json.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)]
    yield Buffer.from(`${lines.join('\n')}\n\n`)
    events += 1
    if (events % atOnce === 0) await nextTurn()
  }
}

const lineFeed = 0x0a
const openings = new Set([0x7b, 0x5b])

/**
 * Reads what a program prints in place of the SDK, which parses all of a chunk at once; `deliver` is given each message.
 * Throws where it cannot.
 */
export function readStdioWithin(
  stdio: StdioClientTransport,
  reader: MessageReader,
  deliver: (json: string) => void,
): void {
  if (Reflect.get(stdio, '_readBuffer') === undefined) throw new Error('The SDK has no buffer to read from')
  const readChunk = createLineReader(reader, deliver)
  let waiting: Buffer[] = []
  let reading = false
  Reflect.set(stdio, '_readBuffer', {
    append(chunk: Buffer) {
      waiting.push(chunk)
      if (!reading) void readAll(outputOf(stdio))
    },
    readMessage: () => null,
    clear() {
      waiting = []
    },
  })

  async function readAll(output: Readable | null): Promise<void> {
    reading = true
    output?.pause()
    try {
      for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) await readChunk(chunk)
      output?.resume()
    } catch (error) {
      output?.destroy()
      stdio.onerror?.(error instanceof Error ? error : new Error(String(error)))
    } finally {
      reading = false
    }
  }
}

function outputOf(stdio: StdioClientTransport): Readable | null {
  const output: unknown = Reflect.get(Object(Reflect.get(stdio, '_process')), 'stdout')
  return output instanceof Readable ? output : null
}

function createLineReader(
  reader: MessageReader,
  deliver: (json: string) => void,
): (chunk: Buffer) => Promise<void> {
  let line: Buffer[] = []
  let length = 0
  let lines = 0
  return async (chunk) => {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(lineFeed, start)
      const piece = chunk.subarray(start, end === -1 ? undefined : end)
      line.push(piece)
      length += piece.length
      if (length > maxMessageBytes) reader.refuse('It sent a message of more than 4 MB.')
      if (end === -1) return
      start = end + 1
      const whole = Buffer.concat(line)
      line = []
      length = 0
      // What is no JSON, such as a greeting, is passed over.
      if (openings.has(whole[0] ?? 0)) deliver(await reader.read(whole))
      else reader.skip(whole.length)
      lines += 1
      if (lines % atOnce === 0) await nextTurn()
    }
  }
}
