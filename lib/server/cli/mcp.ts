// `npm run mcp`: carries MCP between an agent on standard input and output and a Void that runs, for clients that
// start a program instead of calling an address. VOID_URL is the server's, VOID_TOKEN a token of the agent's own.

import { createInterface } from 'node:readline'
import { createEventReader } from '../../core/text/event-stream.ts'
import { wantsHelp } from './wants-help.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

type Message = {
  id?: string | number
  method?: string
  params?: {
    name?: unknown
    uri?: unknown
    taskId?: unknown
    requestId?: unknown
    _meta?: Record<string, unknown>
  }
}

const usage = `Carries the Model Context Protocol between a program that starts this one and a Void that runs.

  VOID_URL=http://127.0.0.1:3000 VOID_TOKEN=… npm run --silent mcp

  VOID_URL     the address of Void
  VOID_TOKEN   a token of the agent, from Settings → Agents`

if (wantsHelp(process.argv.slice(2))) {
  console.log(usage)
  process.exit(0)
}

const { VOID_URL = 'http://127.0.0.1:3000', VOID_TOKEN } = process.env
if (!VOID_TOKEN) {
  console.error(
    'Set VOID_TOKEN to a token of the agent, from Settings → Agents, and VOID_URL to the address of Void.',
  )
  process.exit(2)
}

const pending = new Set<Promise<void>>()
/** Streams of news by the id of their request: they have no end of their own. */
const streams = new Map<unknown, AbortController>()
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const carried = carry(line).finally(() => pending.delete(carried))
  pending.add(carried)
}
for (const stop of streams.values()) stop.abort()
await Promise.all(pending)

/** Sends one message and writes what it is answered; a failure is the answer of the message it belongs to. */
async function carry(line: string): Promise<void> {
  const message = parse(line)
  const stop = new AbortController()
  if (message.method === 'subscriptions/listen') streams.set(message.id, stop)
  if (message.method === 'notifications/cancelled') streams.get(message.params?.requestId)?.abort()
  try {
    const response = await fetch(new URL('/mcp', VOID_URL), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${VOID_TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headersOf(message),
      },
      body: line,
      signal: stop.signal,
    })
    await writeAnswers(response)
  } catch (error) {
    if (stop.signal.aborted) return
    fail(message, `Void cannot be reached at ${VOID_URL}: ${error instanceof Error ? error.message : error}`)
  } finally {
    if (streams.get(message.id) === stop) streams.delete(message.id)
  }

  async function writeAnswers(response: Response): Promise<void> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const reader = createEventReader()
      for await (const chunk of response.body ?? []) {
        for (const { data } of reader.push(chunk)) write(data)
      }
      return
    }
    const text = await response.text()
    if (text === '') return
    const answer = JSON.parse(text)
    if (answer.error && answer.jsonrpc === undefined) fail(message, String(answer.error.message))
    else write(JSON.stringify(answer))
  }
}

/** What the newer revision wants said in headers, too. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.[versionKey]
  if (typeof version !== 'string' || !method) return {}
  const name = params?.name ?? params?.uri ?? params?.taskId
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': encodeName(name) } : {}),
  }
}

/** A name that a header cannot hold goes in as base64. */
function encodeName(name: string): string {
  const fits = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name)
  return fits ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}

function fail({ id }: Message, message: string): void {
  console.error(message)
  if (id !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } }))
}

function write(json: string): void {
  process.stdout.write(`${json.replaceAll('\n', ' ')}\n`)
}
