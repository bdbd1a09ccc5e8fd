// A connection to a mail server over IMAP. What a server sends is held within bounds before anything else looks at it.

import { setTimeout as wait } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { ServerAddress } from './mail-server.ts'
import { type Allowance, limitResponses, type ResponseLimits } from './response-limits.ts'

/** Bytes of one text that the server sends. */
const maxLiteralSize = 2_000_000

/** Room for the numbers of a million messages. */
export const maxLineLength = 12_000_000

export type ImapOptions = {
  version: string
  connectMs?: number
  /** Until a command has ended. Default: 2 minutes; for one about all messages of a folder, an hour. */
  commandMs?: number
  /** Certificates to trust besides the usual ones. */
  ca?: string
}

/** What may come until the sign-in is over, and at a connection whose commands are not counted one by one. */
const firstAllowance: Allowance = { responses: 5000, bytes: 2_000_000, ms: null }

export type Connected = { client: ImapFlow; limits: ResponseLimits; close: () => Promise<void> }

/** Signed in; `close` never rejects. Rejects with what the network, TLS or the server said; see mail-problem.ts. */
export async function connectClient(
  { version, connectMs = 20_000, ca }: ImapOptions,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<Connected> {
  const { ImapFlow } = await import('imapflow')
  const { host, port, security, username: user } = address
  const auth =
    'password' in address ? { user, pass: address.password } : { user, accessToken: address.access_token }
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    auth,
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    ...(ca ? { tls: { ca } } : {}),
    clientInfo: { name: 'Void', version },
    // Where the server offers it, it says which messages are gone (RFC 7162).
    qresync: true,
    logger: false,
    disableAutoIdle: true,
    missingIdleCommand: 'NOOP',
    maxIdleTime: 10 * 60_000,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 120_000,
    maxLiteralSize,
    maxLineLength,
    maxResponseSize: maxLineLength * 2,
    maxResponseTokens: 50_000,
    expungeHandler: (message) => limits.onGone(message),
  })
  const limits: ResponseLimits = limitResponses(client, firstAllowance)
  const abort = () => client.close()
  signal.addEventListener('abort', abort, { once: true })
  client.once('close', () => signal.removeEventListener('abort', abort))
  try {
    signal.throwIfAborted()
    await limits.within({ ...firstAllowance, ms: 3 * connectMs }, () => client.connect())
  } catch (error) {
    client.close()
    throw error
  }
  return {
    client,
    limits,
    async close() {
      await Promise.race([client.logout().catch(() => {}), wait(2000, undefined, { ref: false })])
      client.close()
    },
  }
}
