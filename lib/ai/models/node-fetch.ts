// `fetch` over Node's own HTTP client, for the SDK. A model speaks in hundreds of small chunks, and web streams make
// several promises of each: 200 deltas cost a server 12 to 18 ms of CPU through the built-in fetch, 7 to 9 ms so.
// Node's global agents keep connections alive and, where Node is configured to, go through the proxy of the
// environment.

import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

const incomingOf = new WeakMap<Response, IncomingMessage>()

/**
 * As much of `fetch` as the SDK uses: a URL, a body that is a string or bytes, a signal. A redirect is never followed, since the
 * key would go along: it is the response.
 */
export const nodeFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!isSendable(url, init)) return await fetch(input, { ...init, redirect: 'manual' })
  const incoming = await send(url, init)
  return toResponse(incoming, incoming.statusCode ?? 0)
}

/** The chunks of a response, without a web stream in between where it came from `nodeFetch`. Read one way only. */
export function chunksOf(response: Response): AsyncIterable<Uint8Array> {
  const incoming = incomingOf.get(response)
  if (incoming) return incoming
  if (!response.body) throw new SyntaxError('Expected an answer with a body')
  return response.body
}

const isSendable = ({ protocol }: URL, { body }: RequestInit) =>
  /^https?:$/.test(protocol) &&
  (typeof body === 'string' || body instanceof Uint8Array || body === undefined || body === null)

async function send(url: URL, init: RequestInit, again = true): Promise<IncomingMessage> {
  init.signal?.throwIfAborted()
  const start = url.protocol === 'https:' ? requestSecure : requestPlain
  const body = bytesOf(init.body)
  const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers)
  const headers = Object.fromEntries(given)
  const request = start(url, {
    method: init.method ?? 'GET',
    headers: body ? { ...headers, 'content-length': body.length } : headers,
    ...(init.signal ? { signal: init.signal } : {}),
  })
  try {
    return await new Promise((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end(body)
    })
  } catch (error) {
    // The server closed an idle connection just as it was reused: nothing of the request was read.
    if (again && request.reusedSocket && isReset(error)) return await send(url, init, false)
    throw error
  }
}

function bytesOf(body: RequestInit['body']): Uint8Array | null {
  if (body instanceof Uint8Array) return body
  return typeof body === 'string' ? Buffer.from(body) : null
}

const isReset = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

function toResponse(incoming: IncomingMessage, status: number): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const response = new Response(status === 204 || status === 304 ? null : lazyBody(incoming), {
    status,
    headers,
  })
  incomingOf.set(response, incoming)
  // The SDK lets go of the request's signal when the response is collected, so it has to live as long as its chunks.
  incoming.once('close', () => incomingOf.delete(response))
  return response
}

/** Reads nothing until it is read, so that `chunksOf` can have the chunks instead. */
function lazyBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        chunks ??= incoming[Symbol.asyncIterator]()
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel() {
        incoming.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
