// What a sync asks of a server, so that its rules can be tried against any. Nothing here can change a mailbox.

import { AppError } from '../../../core/errors.ts'
import { cleanLine } from '../../../core/text/clean.ts'

export type ListedFolder = {
  path: string
  /** As the server says, or its name: `\Inbox`, `\Sent`, `\Archive`, `\All`, `\Drafts`, `\Junk`, `\Trash`. */
  use: string | null
}

export type OpenedFolder = {
  uid_validity: string
  uid_next: string
  exists: number
  /** Null: the server does not count changes. */
  highest_modseq: string | null
}

/** A folder as it was when it was last looked at. */
export type KnownFolder = { path: string; opened: OpenedFolder }

/** A part of a message that is no container of others. */
export type MessagePart = {
  /** Its number, such as `1.2`. */
  part: string
  media_type: string
  charset: string | null
  encoding: string
  bytes: number
  /** Null: it is text of the message itself. */
  filename: string | null
}

export type ListedMessage = {
  uid: number
  bytes: number
  flags: string[]
  /** Null: the server does not say. */
  received_at: Date | null
  /** The provider's id of its thread. */
  thread: string | null
  parts: MessagePart[]
}

export type FlaggedMessage = { uid: number; flags: string[] }

/** What happened to a folder since a count of its changes. */
export type FolderChanges = {
  /** New messages, and those whose flags are others now. */
  flagged: FlaggedMessage[]
  /** Also numbers that no message ever had. */
  gone: number[]
}

/** Each rejects when the connection is lost, or the server refuses. */
export type MailServer = {
  listFolders(): Promise<ListedFolder[]>
  /** Opens a folder to read it, without marking anything. What follows is about this folder. */
  open(path: string): Promise<OpenedFolder>
  /** Of all its messages, ascending; with `from`, of those from that number on. */
  listUids(from?: number): Promise<number[]>
  /** Those of the given ones that are there. */
  describe(uids: readonly number[]): Promise<ListedMessage[]>
  /** Whole messages, of those that are there. */
  fetch(uids: readonly number[]): Promise<Map<number, Uint8Array>>
  /** The headers of a message and the beginning of one part, as sent; null when it is not there. */
  fetchPart(
    uid: number,
    part: string | null,
    maxBytes: number,
  ): Promise<{ headers: Uint8Array; body: Uint8Array } | null>
  /** Some bytes of a part, as sent; fewer where it ends; null when the message is not there. */
  readPart(uid: number, part: string, range: { start: number; maxBytes: number }): Promise<Uint8Array | null>
  /** The flags of all messages, or of those changed after a count; in groups. */
  listFlags(changedAfter: string | null): AsyncIterable<FlaggedMessage[]>
  /** Null: the server does not say which messages are gone, or there were more changes than a list of them is worth. */
  listChanges(changedAfter: string): Promise<FolderChanges | null>
  /** Resolves when a folder is another than it was known to be, after a time, or when aborted. */
  waitForNews(known: KnownFolder, maxMs: number, signal: AbortSignal): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

export type ServerAddress = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  username: string
} & ({ password: string } | { access_token: string })

/** Rejects with what the network, TLS or the server said; see mail-problem.ts. */
export type ConnectMailServer = (address: ServerAddress, signal: AbortSignal) => Promise<MailServer>

// Why an account can't be read, in words for its owner.

export type MailProblem = {
  message: string
  /** Whether trying again changes nothing until the owner does something. */
  stops: boolean
}

const byCode: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this host and port. Check the port.',
  ENOTFOUND: 'This host does not exist. Check its name.',
  EAI_AGAIN: 'The host’s name could not be looked up. Check the network.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The host does not answer.',
  CONNECT_TIMEOUT: 'The host does not answer.',
  GREETING_TIMEOUT: 'What answers there is no mail server, or it expects another kind of security.',
  UPGRADE_TIMEOUT: 'The server did not finish setting up TLS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS on this port. Try STARTTLS, or another port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'The server does not speak TLS on this port. Try STARTTLS, or another port.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another host. Check the host’s name.',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The server’s certificate is signed by nobody known.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The server’s certificate is signed by nobody known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server’s certificate is signed by nobody known.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The server’s certificate is signed by nobody known.',
  NoConnection: 'The connection was lost.',
  EConnectionClosed: 'The connection was lost.',
  ECONNRESET: 'The connection was lost.',
  ClosedAfterConnectTLS: 'The server closed the connection at once.',
  ClosedAfterConnectText: 'The server closed the connection at once.',
  LiteralTooLarge: 'The server sent more than it was asked for.',
  ResponseTooLarge: 'The server sent more than it was asked for.',
  LineTooLarge: 'The server sent more than it was asked for.',
  TooManyTokens: 'The server sent more than it was asked for.',
  BadNumber: 'The server sent a number that makes no sense.',
  CommandTimeout: 'The server did not finish its answer in time.',
}

/** `error` is what a server’s connection rejected with, or an `AppError` of Void's own; `scrub` is applied to its words. */
export function mailProblem(error: unknown, scrub = (text: string) => text): MailProblem {
  if (error instanceof AppError)
    return { message: scrub(error.message), stops: error.code === 'mail_stopped' }
  const said = cleanLine(scrub(textOf(error, 'responseText') ?? '')).slice(0, 200)
  if (isRefusal(error)) {
    const words = said === '' ? '' : ` It says: ${said}`
    return { message: `The server refused the user name or the password.${words}`, stops: true }
  }
  const code = textOf(error, 'code')
  const known = code === null ? undefined : byCode[code]
  if (known) return { message: known, stops: false }
  if (isSsl(code)) return { message: 'TLS with the server failed. Check port and security.', stops: false }
  const words = said || cleanLine(scrub(error instanceof Error ? error.message : '')).slice(0, 200)
  return { message: `The server failed.${words === '' ? '' : ` It says: ${words}`}`, stops: false }
}

/** The owner has to do something about it. */
export const stopped = (message: string) => new AppError('mail_stopped', 422, message)

/** Whether a server refused the sign-in for good. */
export const isRefusal = (error: unknown): boolean =>
  Reflect.get(Object(error), 'authenticationFailed') === true && !isPassing(error)

/** Whether a server answered a command, and refused it. */
export const isRefusedCommand = (error: unknown): boolean =>
  ['NO', 'BAD'].includes(textOf(error, 'responseStatus') ?? '')

/** RFC 5530: the server can't tell now whether the password is right. */
const isPassing = (error: unknown): boolean =>
  ['UNAVAILABLE', 'INUSE', 'LIMIT'].includes(textOf(error, 'serverResponseCode') ?? '')

const isSsl = (code: string | null): boolean => code?.startsWith('ERR_SSL') || code === 'EPROTO'

const textOf = (error: unknown, name: string): string | null => {
  const value: unknown = Reflect.get(Object(error), name)
  return typeof value === 'string' ? value : null
}
