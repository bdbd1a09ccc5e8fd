// A Messages API on 127.0.0.1 that follows a script, over the real wire protocol: server-sent events with
// `stream: true`, one JSON message without. Requests that the real API would refuse get its 400, unless a test says
// otherwise, so that an invalid history shows here and not at the first real call. It speaks Chat Completions, too, by the
// same script.
//
//   const fake = await startFakeAnthropic([toolUse('search', { q: 'tea' }), text('Green.')])
//   … point a client at fake.url, look at fake.requests …
//   await fake.close()
//
// It needs nothing but Node, so that a benchmark can run it in a child process of its own.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { chatError, chatFramesOf, toMessagesBody, whyChatRefused } from './fake-chat.ts'
import {
  type Block,
  type FakeFault,
  type FakeMessage,
  framesOf,
  message,
  wholeMessage,
  wireEventsOf,
} from './fake-messages.ts'
import { whyRefused } from './messages-api-rules.ts'

export * from './fake-messages.ts'

/** The body in the Messages API's shapes; tests look into it freely, so its fields are only as typed as they have to be. */
type FakeRequest = {
  wire: 'messages' | 'chat'
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
    const wire = incoming.url?.startsWith('/v1/chat/completions') ? 'chat' : 'messages'
    const sent = parse(raw)
    const refusal = refusalOf(incoming, { wire, sent, raw }, options)
    const body = wire === 'chat' && !refusal ? (toMessagesBody(sent) as FakeRequest['body']) : sent
    const request: FakeRequest = { wire, headers: incoming.headers, body }
    if (refusal) {
      refused.push({ request, why: refusal.message })
      return sendError(response, refusal, wire)
    }
    const call = requests.push(request)
    arrivals.add()
    const reply = script[call - 1] ?? (options.repeatLast ? script.at(-1) : undefined)
    if (!reply) return sendError(response, badRequest(`The script has no reply for call ${call}`), wire)
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

type Sent = { wire: FakeRequest['wire']; sent: FakeRequest['body']; raw: string }

function refusalOf(
  incoming: IncomingMessage,
  { wire, sent, raw }: Sent,
  { validate = true, apiKey }: FakeOptions,
): HttpRefusal | null {
  const isKnown = wire === 'chat' || incoming.url?.startsWith('/v1/messages')
  if (incoming.method !== 'POST' || !isKnown) {
    return { status: 404, type: 'not_found_error', message: 'Not found' }
  }
  const { authorization, 'x-api-key': key } = incoming.headers
  const given = key ?? authorization?.replace('Bearer ', '')
  if (given === undefined || (apiKey !== undefined && given !== apiKey)) {
    return { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }
  }
  if (!validate) return null
  if (wire === 'messages' && !incoming.headers['anthropic-version'])
    return badRequest('anthropic-version: header is required')
  const why = wire === 'chat' ? whyChatRefused(sent) : whyRefused(sent, raw)
  return why === null ? null : badRequest(why)
}

async function play(response: ServerResponse, reply: FixedReply, request: FakeRequest): Promise<void> {
  if ('status' in reply) return sendError(response, reply, request.wire)
  const fake = 'blocks' in reply ? reply : message(Array.isArray(reply) ? reply : [reply])
  const isFull = request.wire === 'chat' && fake.options.stopReason === 'model_context_window_exceeded'
  if (isFull && fake.blocks.every(({ deltas }) => deltas.length === 0))
    return sendError(response, tooLong, 'chat')
  if (request.body.stream) return stream(response, isFull ? endsTooLong(fake) : fake, request.wire)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(wholeMessage(fake)))
}

/** Of Chat Completions a full context is an error, never a reason to stop. */
const endsTooLong = ({ blocks, options }: FakeMessage): FakeMessage => ({
  blocks,
  options: { ...options, errorAfter: { events: wireEventsOf({ blocks, options }).length - 2, ...tooLong } },
})

const tooLong: HttpRefusal = {
  status: 400,
  type: 'invalid_request_error',
  message: "This model's maximum context length is 4096 tokens. Please reduce the length of the messages.",
}

async function stream(response: ServerResponse, fake: FakeMessage, wire: FakeRequest['wire']): Promise<void> {
  const { delayMs = 0, cutAfter, silentAfter, errorAfter, openEnd = false } = fake.options
  const stopAt = cutAfter ?? silentAfter ?? errorAfter?.events
  const frames = (wire === 'chat' ? chatFramesOf(fake) : framesOf(fake)).slice(0, stopAt)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_fake' })
  response.flushHeaders()
  if (delayMs === 0) response.write(frames.join(''))
  else await writeSlowly(response, frames, delayMs)

  if (errorAfter) response.write(errorFrame(errorAfter, wire))
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
    if (/^event: content_block_delta|"delta":\{"(?:content":"[^"]|tool_calls|reasoning)/.test(frame))
      await delay(delayMs)
    response.write(frame)
  }
}

function errorFrame(
  { type = 'overloaded_error', message: text = 'Overloaded' }: { type?: string; message?: string },
  wire: FakeRequest['wire'],
): string {
  if (wire === 'chat') return `data: ${JSON.stringify(chatError(type, text))}\n\n`
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: text } })}\n\n`
}

function sendError(
  response: ServerResponse,
  { status, type, message: text, headers }: HttpRefusal,
  wire: FakeRequest['wire'],
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers })
  const error = wire === 'chat' ? chatError(type, text) : { type: 'error', error: { type, message: text } }
  response.end(JSON.stringify(error))
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
