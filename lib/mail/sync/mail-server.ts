// What a sync asks of a server, so that its rules can be tried against any. Nothing here can change a mailbox.

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
