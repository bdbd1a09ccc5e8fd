// A mailbox in memory that speaks the interface of a mail server, with the faults that real ones have.

import { isDeepStrictEqual } from 'node:util'
import type { ConnectDrafts } from '../../../lib/outside/mail/replies/deliver-replies.ts'
import type {
  ConnectMailServer,
  FlaggedMessage,
  ListedMessage,
  MailServer,
  MessagePart,
  OpenedFolder,
} from '../../../lib/outside/mail/sync/mail-server.ts'

type Stored = { raw: Buffer; flags: string[]; modseq: number; received_at: Date }
type Folder = {
  use: string | null
  validity: number
  next: number
  messages: Map<number, Stored>
  /** Numbers that are gone, each with the count of changes at which it went. */
  gone: Map<number, number>
}

export class FakeMailbox {
  readonly folders = new Map<string, Folder>()
  /** The names of the commands that were given, in order. */
  readonly commands: string[] = []
  password = 'secret'
  connections = 0
  /** Commands until the connection is cut; null: it is not. */
  cutAfter: number | null = null
  /** Whether the server is not there. */
  gone = false
  countsChanges = true
  /** Whether it says which messages are gone, as with QRESYNC. */
  tellsGone = false
  /** Numbers that it keeps silent about. */
  readonly hidden = new Set<number>()
  /** The provider’s id of the thread of each message. */
  readonly threads = new Map<number, string>()
  maxFetched = 0
  private modseq = 1
  private readonly waiting = new Set<() => void>()

  constructor() {
    this.addFolder('INBOX', '\\Inbox')
    this.addFolder('Sent', '\\Sent')
    this.addFolder('Archive', '\\Archive')
    this.addFolder('Drafts', '\\Drafts')
    this.addFolder('Junk', '\\Junk')
    this.addFolder('Trash', '\\Trash')
  }

  addFolder(path: string, use: string | null): void {
    this.folders.set(path, { use, validity: 1, next: 1, messages: new Map(), gone: new Map() })
  }

  append(
    raw: string | Buffer,
    { folder = 'INBOX', flags = [] as string[], received_at = new Date('2026-11-20T12:00:00Z') } = {},
  ): number {
    const at = this.folder(folder)
    const uid = at.next++
    at.messages.set(uid, {
      raw: Buffer.from(raw),
      flags,
      modseq: ++this.modseq,
      received_at,
    })
    this.tell()
    return uid
  }

  setFlags(uid: number, flags: string[], folder = 'INBOX'): void {
    Object.assign(this.folder(folder).messages.get(uid)!, { flags, modseq: ++this.modseq })
    this.tell()
  }

  expunge(uid: number, folder = 'INBOX'): void {
    this.folder(folder).messages.delete(uid)
    this.folder(folder).gone.set(uid, ++this.modseq)
    this.tell()
  }

  /** As a server does that was restored from a backup: all numbers are others. */
  renumber(folder = 'INBOX'): void {
    const at = this.folder(folder)
    const messages = [...at.messages.values()]
    at.validity += 1
    at.messages.clear()
    for (const message of messages.reverse()) at.messages.set(at.next++ + 1000, message)
    at.next += 2000
  }

  readonly connect: ConnectMailServer = async (address, signal) => {
    this.connections += 1
    if (this.gone) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    if (!('password' in address) || address.password !== this.password) {
      throw Object.assign(new Error('failed'), { authenticationFailed: true, responseText: 'Wrong.' })
    }
    return this.server(signal)
  }

  /** What the server says of the parts of a message, and holds of them; left out: it is one text. */
  readonly parts = new Map<number, (MessagePart & { body?: Buffer })[]>()

  /** What becomes of the next APPEND, when not what should. */
  nextAppend: 'lost before' | 'lost after' | 'refused' | null = null

  onAppended: () => void = () => {}
  onDescribed: (uids: readonly number[]) => void = () => {}

  readonly connectDrafts: ConnectDrafts = async (address, signal) => {
    const server = await this.connect(address, signal)
    const path = 'Drafts'
    const { uid_validity, uid_next } = await server.open(path)
    return {
      ...{ path, uid_validity, uid_next },
      holds: async (messageId) => {
        const wanted = `Message-ID: ${messageId}`.toLowerCase()
        return [...this.folder(path).messages.values()].some(({ raw }) =>
          raw.toString('latin1').toLowerCase().split('\r\n').includes(wanted),
        )
      },
      append: async (message) => {
        const fate = this.nextAppend
        this.nextAppend = null
        if (fate === 'refused') {
          throw Object.assign(new Error('no'), { responseStatus: 'NO', responseText: 'Quota exceeded.' })
        }
        if (fate !== 'lost before') this.append(message, { folder: path, flags: ['\\Draft'] })
        this.onAppended()
        if (fate !== null) throw Object.assign(new Error('cut'), { code: 'NoConnection' })
      },
      close: async () => {},
    }
  }

  /** Messages of a folder, as they were put there. */
  raw = (folder: string): string[] =>
    [...this.folder(folder).messages.values()].map(({ raw }) => raw.toString('latin1'))

  private server(ended: AbortSignal): MailServer {
    let open: Folder | null = null
    const command = (name: string) => {
      ended.throwIfAborted()
      this.commands.push(name)
      if (this.gone || this.cutAfter === 0) {
        this.cutAfter = null
        throw Object.assign(new Error('cut'), { code: 'NoConnection' })
      }
      if (this.cutAfter !== null) this.cutAfter -= 1
    }
    const opened = () => open!
    return {
      listFolders: async () => {
        command('list')
        return [...this.folders].map(([path, { use }]) => ({ path, use }))
      },
      open: async (path) => {
        command(`examine ${path}`)
        open = this.folder(path)
        return this.stateOf(open)
      },
      listUids: async (from = 1) => {
        command('search')
        return [...opened().messages.keys()].filter((uid) => uid >= from).toSorted((a, b) => a - b)
      },
      describe: async (uids) => {
        command('describe')
        this.onDescribed(uids)
        return uids.flatMap((uid) => {
          const found = opened().messages.get(uid)
          const parts = this.parts.get(uid)
          const thread = this.threads.get(uid) ?? null
          return found ? [{ ...toListed(uid, found), thread, ...(parts ? { parts } : {}) }] : []
        })
      },
      fetch: async (uids) => {
        command(`fetch ${uids.join(',')}`)
        this.maxFetched = Math.max(this.maxFetched, uids.length)
        return new Map(
          uids.flatMap((uid) => (opened().messages.has(uid) ? [[uid, opened().messages.get(uid)!.raw]] : [])),
        )
      },
      fetchPart: async (uid, part, maxBytes) => {
        command(`fetch ${uid} ${part}`)
        const found = opened().messages.get(uid)
        if (!found) return null
        const [headers = '', body = ''] = found.raw.toString('latin1').split('\r\n\r\n', 2)
        return { headers: Buffer.from(`${headers}\r\n\r\n`), body: Buffer.from(body).subarray(0, maxBytes) }
      },
      readPart: async (uid, part, { start, maxBytes }) => {
        command(`fetch ${uid} ${part} from ${start}`)
        const found = opened().messages.get(uid)
        const body = this.parts.get(uid)?.find((one) => one.part === part)?.body ?? Buffer.alloc(0)
        return found ? body.subarray(start, start + maxBytes) : null
      },
      listChanges: async (since) => {
        if (!this.tellsGone) return null
        command(`changes ${since}`)
        const { messages, gone } = opened()
        const after = (modseq: number, uid: number) => modseq > Number(since) && !this.hidden.has(uid)
        return {
          flagged: [...messages]
            .filter(([uid, { modseq }]) => after(modseq, uid))
            .map(([uid, { flags }]) => ({ uid, flags })),
          gone: [...gone].filter(([uid, modseq]) => after(modseq, uid)).map(([uid]) => uid),
        }
      },
      listFlags: (since) => this.flagsOf(opened(), since, command),
      waitForNews: async ({ path, opened }, _ms, signal) => {
        command('idle')
        if (!isDeepStrictEqual(this.stateOf(this.folder(path)), opened)) return
        await new Promise<void>((resolve) => {
          this.waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
          ended.addEventListener('abort', () => resolve(), { once: true })
        })
      },
      close: async () => {},
    }
  }

  private stateOf({ validity, next, messages }: Folder): OpenedFolder {
    return {
      uid_validity: String(validity),
      uid_next: String(next),
      exists: messages.size,
      highest_modseq: this.countsChanges ? String(this.modseq) : null,
    }
  }

  private async *flagsOf(
    { messages }: Folder,
    since: string | null,
    command: (name: string) => void,
  ): AsyncGenerator<FlaggedMessage[]> {
    command(`flags ${since}`)
    yield [...messages]
      .filter(([, { modseq }]) => since === null || modseq > Number(since))
      .map(([uid, { flags }]) => ({ uid, flags }))
  }

  /** Wakes who waits for news. */
  tell(): void {
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }

  private folder(path: string): Folder {
    const found = this.folders.get(path)
    if (!found) throw new Error(`no folder ${path}`)
    return found
  }
}

function toListed(uid: number, { raw, flags, received_at }: Stored): ListedMessage {
  const part = { part: '1', media_type: 'text/plain', charset: 'utf-8', encoding: '7bit', filename: null }
  return { uid, bytes: raw.length, flags, received_at, thread: null, parts: [{ ...part, bytes: raw.length }] }
}
