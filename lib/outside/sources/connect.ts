// One connection to an MCP server: a process that is started for it, or an http address. What comes in is held within
// bounds before anything else looks at it.

import { mkdirSync } from 'node:fs'
import type { AuthProvider, Client, Transport } from '@modelcontextprotocol/client'
import { pickEnv } from '../../auth/secrets/resolve-secret.ts'
import { AppError } from '../../core/errors.ts'
import { createSafeFetch } from '../../core/net/safe-fetch.ts'
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
  /** What authorizes requests over http, beside the headers. */
  authProvider?: AuthProvider
}

/** UTF-8 bytes of one message, and of one answer over http. */
const maxMessageBytes = 4_000_000
const maxRequestMs = 120_000
/** Messages, or lines that are none, between two answers that were asked for. */
const maxUnasked = 2000
const maxStderr = 2000

/** Throws what the transport or the protocol throws. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/client')
  const { transport, printed } = await createTransport(options)
  let why: string | null = null
  let open = true
  const client = new Client(
    { name: 'void', title: 'Void', version: options.version },
    // Void makes no code of a schema that came from outside; what a tool answers is text to it anyway.
    { jsonSchemaValidator: { getValidator: () => (data) => accept(data) } },
  )
  const end = (reason: string) => {
    why = reason
    open = false
    void client.close().catch(() => {})
  }
  const guard = guardFlood(transport, () => end(`It sent more than ${maxUnasked} messages nobody asked for.`))
  client.onclose = () => {
    open = false
  }
  client.onerror = (error) => {
    guard.count()
    // The issues of a schema are no help to a person.
    why ??= error.message.startsWith('[') ? 'It sent what is no message of the protocol.' : error.message
  }
  const { timeoutMs: timeout, signal } = options
  try {
    await client.connect(transport, { timeout, maxTotalTimeout: timeout, ...(signal ? { signal } : {}) })
  } catch (cause) {
    await client.close().catch(() => {})
    if (isSignInNeeded(cause)) throw cause
    throw new AppError('source_failed', 502, printed() ?? why ?? messageOf(cause), { cause })
  }
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    client,
    server: { name: String(name).slice(0, 200), version: String(version).slice(0, 100) },
    hasSession: transport.sessionId !== undefined,
    isOpen: () => open,
    problem: () => why ?? printed(),
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

async function createTransport(options: ConnectOptions): Promise<Reached> {
  const { settings, folder, authProvider } = options
  const { transport, command, args, env, url, headers, network } = settings
  if (transport === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const fetchOwn = createSafeFetch({ chosen: url, maxBytes: maxMessageBytes, timeoutMs: maxRequestMs })
    const given = {
      requestInit: { headers },
      // Headers would go along with a redirect that the SDK follows by itself.
      fetch: (input: string | URL, init?: RequestInit) => fetchOwn(input, { ...init, redirect: 'error' }),
      ...(authProvider ? { authProvider } : {}),
    }
    return { transport: new StreamableHTTPClientTransport(new URL(url!), given), printed: () => null }
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const program = await confine({ command: command!, args, env, network }, options)
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const stdio = new StdioClientTransport({
    command: program.command,
    args: [...program.args],
    // A folder of its own in place of the home folder, where keys and tokens of other programs are.
    env: { ...pickEnv(/^(LANG|LC_\w+|TZ)$/), HOME: folder, TMPDIR: folder, ...env },
    cwd: folder,
    stderr: 'pipe',
    maxBufferSize: maxMessageBytes,
  })
  let tail = ''
  stdio.stderr?.on('data', (chunk) => {
    const all = tail + String(chunk)
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

/** Counts what comes in; a request that goes out sets it back. */
function guardFlood(transport: Transport, onFlood: () => void): { count: () => void } {
  let unasked = 0
  let flooded = false
  const count = () => {
    unasked += 1
    if (unasked <= maxUnasked || flooded) return
    flooded = true
    onFlood()
  }
  const send = transport.send.bind(transport)
  transport.send = async (...given) => {
    unasked = 0
    await send(...given)
  }
  const start = transport.start.bind(transport)
  // The client sets its handlers before it starts the transport.
  transport.start = async () => {
    const handle = transport.onmessage
    transport.onmessage = (...given) => {
      count()
      if (!flooded) handle?.(...given)
    }
    await start()
  }
  return { count }
}
