// A Messages API on 127.0.0.1 that follows a script, over the real wire protocol: server-sent events with
// `stream: true`, one JSON message without. Requests that the real API would refuse get its 400, unless a test says
// otherwise, so that an invalid history shows here and not at the first real call.
//
//   const fake = await startFakeAnthropic([toolUse('search', { q: 'tea' }), text('Green.')])
//   … point a client at fake.url, look at fake.requests …
//   await fake.close()
//
// It needs nothing but Node, so that a benchmark can run it in a child process of its own.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Block,
  type FakeFault,
  type FakeMessage,
  framesOf,
  message,
  wholeMessage,
} from './fake-messages.ts'
import { whyRefused } from './messages-api-rules.ts'

export * from './fake-messages.ts'

/** The parsed body; tests look into it freely, so its fields are only as typed as they have to be. */
type FakeRequest = {
  headers: IncomingMessage['headers']
  body: {
    model: string
    max_tokens: number
    stream?: boolean
    system?: string | Record<string, unknown>[]
    messages: { role: string; content: string | Record<string, unknown>[] }[]
    tools?: Record<string, unknown>[]
    tool_choice?: Record<string, unknown>
  }
}

type FixedReply = Block | Block[] | FakeMessage | FakeFault
export type FakeReply =
  | FixedReply
  | ((request: FakeRequest, call: number) => FixedReply | Promise<FixedReply>)

export type FakeOptions = {
  /** Left out: true. */
  validate?: boolean
  /** The only key that is accepted. Left out: any. */
  apiKey?: string
  /** Answers every call after the script with its last reply. */
  repeatLast?: boolean
}

export type FakeAnthropic = {
  url: string
  /** Every request that got a scripted reply, in order. */
  requests: FakeRequest[]
  /** Requests that broke the API's rules, with what the API would say. */
  refused: { request: FakeRequest; why: string }[]
  /** How many requests the client has broken off. */
  readonly aborted: number
  /** Resolves when `count` requests have been broken off. */
  whenAborted(count?: number): Promise<void>
  /** Resolves when `count` requests have come in. */
  whenRequested(count?: number): Promise<void>
  /** Adds to the script. */
  push(...replies: FakeReply[]): void
  close(): Promise<void>
}

export async function startFakeAnthropic(
  replies: FakeReply[],
  options: FakeOptions = {},
): Promise<FakeAnthropic> {
  const script = [...replies]
  const requests: FakeRequest[] = []
  const refused: FakeAnthropic['refused'] = []
  const aborts = createCounter()
  const arrivals = createCounter()

  const server = createServer(async (incoming, response) => {
    response.once('close', () => response.writableFinished || cut.has(response) || aborts.add())
    const raw = await readBody(incoming)
    const request: FakeRequest = { headers: incoming.headers, body: parse(raw) }
    const refusal = refusalOf(incoming, request, raw, options)
    if (refusal) {
      refused.push({ request, why: refusal.message })
      return sendError(response, refusal)
    }
    const call = requests.push(request)
    arrivals.add()
    const reply = script[call - 1] ?? (options.repeatLast ? script.at(-1) : undefined)
    if (!reply) return sendError(response, badRequest(`The script has no reply for call ${call}`))
    await play(response, typeof reply === 'function' ? await reply(request, call) : reply, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    refused,
    get aborted() {
      return aborts.count()
    },
    whenAborted: aborts.reaches,
    whenRequested: arrivals.reaches,
    push: (...more) => script.push(...more),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type HttpRefusal = Pick<FakeFault, 'status' | 'type' | 'message' | 'headers'>

const badRequest = (why: string): HttpRefusal => ({
  status: 400,
  type: 'invalid_request_error',
  message: why,
})

function refusalOf(
  incoming: IncomingMessage,
  request: FakeRequest,
  raw: string,
  { validate = true, apiKey }: FakeOptions,
): HttpRefusal | null {
  if (incoming.method !== 'POST' || !incoming.url?.startsWith('/v1/messages')) {
    return { status: 404, type: 'not_found_error', message: 'Not found' }
  }
  const { authorization, 'x-api-key': key } = incoming.headers
  const given = key ?? authorization?.replace('Bearer ', '')
  if (given === undefined || (apiKey !== undefined && given !== apiKey)) {
    return { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }
  }
  if (!validate) return null
  if (!incoming.headers['anthropic-version']) return badRequest('anthropic-version: header is required')
  const why = whyRefused(request.body, raw)
  return why === null ? null : badRequest(why)
}

async function play(response: ServerResponse, reply: FixedReply, request: FakeRequest): Promise<void> {
  if ('status' in reply) return sendError(response, reply)
  const fake = 'blocks' in reply ? reply : message(Array.isArray(reply) ? reply : [reply])
  if (request.body.stream) return stream(response, fake)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(wholeMessage(fake)))
}

async function stream(response: ServerResponse, fake: FakeMessage): Promise<void> {
  const { delayMs = 0, cutAfter, silentAfter, errorAfter, openEnd = false } = fake.options
  const stopAt = cutAfter ?? silentAfter ?? errorAfter?.events
  const frames = framesOf(fake).slice(0, stopAt)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_fake' })
  response.flushHeaders()
  if (delayMs === 0) response.write(frames.join(''))
  else await writeSlowly(response, frames, delayMs)

  if (errorAfter) response.write(errorFrame(errorAfter))
  if (cutAfter !== undefined) return cutOff(response)
  if (silentAfter === undefined && !openEnd) response.end()
}

/** Responses that the script broke off, not the client. */
const cut = new WeakSet<ServerResponse>()

function cutOff(response: ServerResponse): void {
  cut.add(response)
  setImmediate(() => response.destroy())
}

async function writeSlowly(response: ServerResponse, frames: string[], delayMs: number): Promise<void> {
  for (const frame of frames) {
    if (response.destroyed) return
    if (frame.startsWith('event: content_block_delta')) await delay(delayMs)
    response.write(frame)
  }
}

const errorFrame = ({
  type = 'overloaded_error',
  message: text = 'Overloaded',
}: {
  type?: string
  message?: string
}) => `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: text } })}\n\n`

function sendError(response: ServerResponse, { status, type, message: text, headers }: HttpRefusal): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers })
  response.end(JSON.stringify({ type: 'error', error: { type, message: text } }))
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function parse(raw: string): FakeRequest['body'] {
  try {
    return JSON.parse(raw)
  } catch {
    return { model: '', max_tokens: 0, messages: [] }
  }
}

/** Counts, and lets a test wait for a count. */
function createCounter() {
  let count = 0
  let waiting: { atLeast: number; resolve: () => void }[] = []
  return {
    count: () => count,
    add(): void {
      count += 1
      for (const { atLeast, resolve } of waiting) if (count >= atLeast) resolve()
      waiting = waiting.filter(({ atLeast }) => atLeast > count)
    },
    reaches(atLeast = 1): Promise<void> {
      return new Promise((resolve) => (count >= atLeast ? resolve() : waiting.push({ atLeast, resolve })))
    },
  }
}
