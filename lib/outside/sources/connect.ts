// One connection to an MCP server: a process that is started for it, or an http address. What comes in is held within
// bounds before anything else looks at it.

import { mkdirSync } from 'node:fs'
import type { AuthProvider, Client, Transport } from '@modelcontextprotocol/client'
import { pickEnv } from '../../auth/secrets/resolve-secret.ts'
import { AppError } from '../../core/errors.ts'
import { createSafeFetch } from '../../core/net/safe-fetch.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { fetchWithin, readStdioWithin } from './bounded-transports.ts'
import { createMessageReader, type MessageReader, maxMessageBytes } from './message-reader.ts'
import type { Program, Sandbox } from './sandbox/sandbox.ts'
import { isSignInNeeded } from './sign-in/discover.ts'
import type { SourceSettings } from './source-settings.ts'

export type Connection = {
  client: Client
  server: { name: string; version: string } | null
  /** Whether the server knows it by a session, over http. */
  hasSession: boolean
  /** Whether it can still be used. */
  isOpen: () => boolean
  /** Why it ended by itself, or the last that its process printed to stderr; null: nothing is known. */
  problem: () => string | null
  close: () => Promise<void>
}

export type ConnectOptions = {
  /** With all references resolved. */
  settings: SourceSettings
  /** Where a process may write; made for it. */
  folder: string
  /** Of a process that is confined. Default: it runs without one. */
  sandbox: Sandbox | undefined
  version: string
  timeoutMs: number
  signal?: AbortSignal
  /** Where large messages are read. */
  threads: Pick<TextThreads, 'run'>
  /** What authorizes requests over http, beside the headers. */
  authProvider?: AuthProvider
}

const maxRequestMs = 120_000
const maxStderr = 2000

/** Throws what the transport or the protocol throws. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/client')
  let why: string | null = null
  let refusal: string | null = null
  let open = true
  const client = new Client(
    { name: 'void', title: 'Void', version: options.version },
    // Void makes no code of a schema that came from outside; what a tool answers is text to it anyway.
    { jsonSchemaValidator: { getValidator: () => (data) => accept(data) } },
  )
  const end = (reason: string) => {
    refusal = reason
    open = false
    void client.close().catch(() => {})
    // A program may take seconds to end; who waits for an answer does not wait for that.
    client.transport?.onclose?.()
  }
  const reader = createMessageReader(options.threads, end)
  const { transport, printed } = await createTransport(options, reader)
  resetWithRequests(transport, reader)
  client.onclose = () => {
    open = false
  }
  client.onerror = (error) => {
    // The issues of a schema are no help to a person.
    why ??= error.message.startsWith('[') ? 'It sent what is no message of the protocol.' : error.message
  }
  const { timeoutMs: timeout, signal } = options
  try {
    await client.connect(transport, { timeout, maxTotalTimeout: timeout, ...(signal ? { signal } : {}) })
  } catch (cause) {
    await client.close().catch(() => {})
    if (isSignInNeeded(cause)) throw cause
    throw new AppError('source_failed', 502, refusal ?? printed() ?? why ?? messageOf(cause), { cause })
  }
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    client,
    server: { name: String(name).slice(0, 200), version: String(version).slice(0, 100) },
    hasSession: transport.sessionId !== undefined,
    isOpen: () => open,
    problem: () => refusal ?? why ?? printed(),
    close: () => client.close(),
  }
}

const accept = (data: unknown) => ({ valid: true as const, data: data as never, errorMessage: undefined })

/** A failed `fetch` says why in its cause alone. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === 'fetch failed' && error.cause ? messageOf(error.cause) : error.message
}

type Reached = { transport: Transport; printed: () => string | null }

async function createTransport(options: ConnectOptions, reader: MessageReader): Promise<Reached> {
  const { settings, folder, authProvider } = options
  const { transport, command, args, env, url, headers, network } = settings
  if (transport === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const fetchOwn = createSafeFetch({ chosen: url, maxBytes: 2 * maxMessageBytes, timeoutMs: maxRequestMs })
    const given = {
      requestInit: { headers },
      // Headers would go along with a redirect that the SDK follows by itself.
      fetch: fetchWithin((input, init) => fetchOwn(input, { ...init, redirect: 'error' }), reader),
      ...(authProvider ? { authProvider } : {}),
    }
    return { transport: new StreamableHTTPClientTransport(new URL(url!), given), printed: () => null }
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const program = await confine({ command: command!, args, env, network }, options)
  const { deserializeMessage } = await import('@modelcontextprotocol/client')
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const stdio = new StdioClientTransport({
    command: program.command,
    args: [...program.args],
    // A folder of its own in place of the home folder, where keys and tokens of other programs are.
    env: { ...pickEnv(/^(LANG|LC_\w+|TZ)$/), HOME: folder, TMPDIR: folder, ...env },
    cwd: folder,
    stderr: 'pipe',
  })
  readStdioWithin(stdio, reader, (json) => {
    try {
      stdio.onmessage?.(deserializeMessage(json))
    } catch (error) {
      if (!(error instanceof SyntaxError)) stdio.onerror?.(error as Error)
    }
  })
  let tail = ''
  stdio.stderr?.on('data', (chunk: Buffer) => {
    // That much of it is a flood, too.
    if (!isWithin(() => reader.skip(chunk.length))) return
    const all = tail + chunk.toString()
    // Half of a secret would not be known as one.
    tail = all.length <= maxStderr ? all : all.slice(-maxStderr).replace(/^\S+/, '')
  })
  return { transport: stdio, printed: () => tail.trim() || null }
}

/** Throws an `AppError` where it has to be confined and cannot. */
async function confine(program: Program, { settings, sandbox, folder }: ConnectOptions) {
  if (settings.unconfined || !sandbox) return program
  const problem = await sandbox.problem(program)
  if (problem) throw new AppError('source_failed', 502, problem)
  return await sandbox.wrap(program, folder)
}

function isWithin(count: () => void): boolean {
  try {
    count()
    return true
  } catch {
    return false
  }
}

/** What comes after a request of Void's was asked for; an answer to one of the source's own asks for nothing. */
function resetWithRequests(transport: Transport, reader: MessageReader): void {
  const send = transport.send.bind(transport)
  transport.send = async (message, ...rest) => {
    if ('method' in Object(message) && 'id' in Object(message)) reader.asked()
    await send(message, ...rest)
  }
}
