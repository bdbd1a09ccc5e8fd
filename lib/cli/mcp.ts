// `npm run mcp`: carries MCP between an agent on standard input and output and a Void that runs, for clients that
// start a program instead of calling an address. VOID_URL is the server's, VOID_TOKEN a token of the agent's own.

import { createInterface } from 'node:readline'
import { createEventReader } from '../text/event-stream.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

type Message = {
  id?: string | number
  method?: string
  params?: { name?: unknown; uri?: unknown; taskId?: unknown; _meta?: Record<string, unknown> }
}

const { VOID_URL = 'http://127.0.0.1:3000', VOID_TOKEN } = process.env
if (!VOID_TOKEN) {
  console.error(
    'Set VOID_TOKEN to a token of the agent, from Settings → Agents, and VOID_URL to the address of Void.',
  )
  process.exit(2)
}

const pending = new Set<Promise<void>>()
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const carried = carry(line).finally(() => pending.delete(carried))
  pending.add(carried)
}
await Promise.all(pending)

/** Sends one message and writes what it is answered; a failure is the answer of the message it belongs to. */
async function carry(line: string): Promise<void> {
  const message = parse(line)
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
    })
    await writeAnswers(response)
  } catch (error) {
    fail(message, `Void cannot be reached at ${VOID_URL}: ${error instanceof Error ? error.message : error}`)
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
