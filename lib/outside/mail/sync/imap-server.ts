// A mailbox over IMAP. Folders are opened with EXAMINE, and messages fetched with PEEK: nothing on the server is marked,
// moved or deleted.

import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow'
import { cleanLine } from '../../../core/text/clean.ts'
import { type Connected, connectClient, type ImapOptions, maxLineLength } from './imap-client.ts'
import type {
  ConnectMailServer,
  FlaggedMessage,
  FolderChanges,
  KnownFolder,
  ListedMessage,
  MailServer,
  MessagePart,
  OpenedFolder,
} from './mail-server.ts'
import type { Allowance } from './response-limits.ts'

const maxParts = 300

const maxFlags = 30

/** Messages whose flags are compared at once. */
const flagsPerGroup = 1000

/** Changes that are held at once. */
const maxChanges = 10_000

export function createConnectImap(options: ImapOptions): ConnectMailServer {
  return async (address, signal) =>
    overClient(await connectClient(options, address, signal), options.commandMs)
}

/** A command whose answer is a few lines, some messages, or the numbers of all messages of a folder. */
const allowancesWithin = (ms: number): Record<'small' | 'someMessages' | 'allNumbers', Allowance> => ({
  small: { responses: 5000, bytes: 2_000_000, ms },
  someMessages: { responses: 5000, bytes: 12_000_000, ms },
  allNumbers: { responses: 5000, bytes: maxLineLength, line: maxLineLength, ms },
})

const maxMessages = 1_000_000

/** A line for each message of the folder, and one for what happens to it meanwhile. */
const wholeFolder = ({ mailbox }: ImapFlow): Allowance => {
  const messages = mailbox ? Math.min(mailbox.exists, maxMessages) : 0
  return { responses: 5000 + 2 * messages, bytes: 2_000_000 + 400 * messages, line: 4_000_000, ms: 3_600_000 }
}

const defaultCommandMs = 120_000

function overClient({ client, limits, close }: Connected, commandMs = defaultCommandMs): MailServer {
  const { within } = limits
  const { small, someMessages, allNumbers } = allowancesWithin(commandMs)
  return {
    async listFolders() {
      const listed = await within({ ...small, responses: 20_000 }, () => client.list())
      return listed
        .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
        .filter(({ path }) => isStorable(path))
        .map(({ path, specialUse }) => ({ path, use: specialUse ?? null }))
    },

    open: (path) => within(small, () => open(client, path)),

    async listUids(from = 1) {
      const query = from === 1 ? { all: true } : { uid: `${from}:*` }
      const uids = await within(allNumbers, () => client.search(query, { uid: true }))
      if (!uids) throw new Error('The folder could not be listed.')
      // A range to the last message holds that one in any case.
      return uids
        .map(toUid)
        .filter((uid) => uid >= from)
        .toSorted((a, b) => a - b)
    },

    describe: (uids) =>
      within(someMessages, async () => {
        const query = { flags: true, size: true, internalDate: true, bodyStructure: true, threadId: true }
        const found: ListedMessage[] = []
        for await (const message of client.fetch(toRange(uids), query, { uid: true }))
          found.push(toListed(message))
        return found
      }),

    fetch: (uids) =>
      within(someMessages, async () => {
        const found = new Map<number, Uint8Array>()
        for await (const { uid, source } of client.fetch(toRange(uids), { source: true }, { uid: true })) {
          if (source) found.set(uid, source)
        }
        return found
      }),

    async fetchPart(uid, part, maxBytes) {
      const wanted = ['header', ...(part ? [part] : [])]
      const bodyParts = wanted.map((key) => ({ key, start: 0, maxLength: maxBytes }))
      const found = await within(someMessages, () =>
        client.fetchOne(String(uid), { bodyParts }, { uid: true }),
      )
      // imapflow puts this one part elsewhere.
      if (!found || found.headers === undefined) return null
      return { headers: found.headers, body: (part && found.bodyParts?.get(part)) || new Uint8Array() }
    },

    async readPart(uid, part, { start, maxBytes }) {
      const bodyParts = [{ key: part, start, maxLength: maxBytes }]
      const found = await within(someMessages, () =>
        client.fetchOne(String(uid), { bodyParts }, { uid: true }),
      )
      return found ? (found.bodyParts?.get(part) ?? new Uint8Array()) : null
    },

    async *listFlags(changedAfter) {
      const end = limits.begin(wholeFolder(client))
      try {
        yield* listFlags(client, changedAfter)
      } finally {
        end()
      }
    },

    listChanges: (changedAfter) => within(wholeFolder(client), () => listChanges(client, changedAfter)),

    waitForNews: (known, maxMs, signal) =>
      within({ ...small, ms: null }, () => waitForNews(client, known, { maxMs, signal })),

    close,
  }
}

async function* listFlags(client: ImapFlow, changedAfter: string | null): AsyncGenerator<FlaggedMessage[]> {
  const options = { uid: true, ...(changedAfter ? { changedSince: BigInt(changedAfter) } : {}) }
  let group: FlaggedMessage[] = []
  for await (const { uid, flags } of client.fetch('1:*', { flags: true, uid: true }, options)) {
    group.push({ uid: toUid(uid), flags: toFlags(flags) })
    if (group.length < flagsPerGroup) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** By CONDSTORE and QRESYNC: what a `FETCH` with `CHANGEDSINCE` and `VANISHED` answers. */
async function listChanges(client: ImapFlow, changedAfter: string): Promise<FolderChanges | null> {
  if (!client.enabled.has('QRESYNC')) return null
  const changes: FolderChanges = { flagged: [], gone: [] }
  let count = 0
  const onGone = ({ uid }: { uid?: number }) => {
    count += 1
    if (uid !== undefined && count <= maxChanges) changes.gone.push(toUid(uid))
  }
  client.on('expunge', onGone)
  try {
    const options = { uid: true, changedSince: BigInt(changedAfter) }
    for await (const { uid, flags } of client.fetch('1:*', { flags: true, uid: true }, options)) {
      count += 1
      if (count <= maxChanges) changes.flagged.push({ uid: toUid(uid), flags: toFlags(flags) })
    }
  } finally {
    client.off('expunge', onGone)
  }
  return count <= maxChanges ? changes : null
}

async function open(client: ImapFlow, path: string): Promise<OpenedFolder> {
  const { uidValidity, uidNext, exists, highestModseq, noModseq } = await client.mailboxOpen(path, {
    readOnly: true,
  })
  return {
    uid_validity: toNumber(uidValidity, { min: 0n, max: maxNumber }),
    uid_next: toNumber(uidNext, { min: 1n, max: maxNumber + 1n }),
    exists: Number(toNumber(exists ?? 0, { min: 0n, max: maxNumber })),
    highest_modseq: noModseq || !highestModseq ? null : toNumber(highestModseq, { min: 0n, max: maxModseq }),
  }
}

/** RFC 9051: numbers have 32 bits; RFC 7162: those of changes have 63. */
const maxNumber = 2n ** 32n - 1n

const maxModseq = 2n ** 63n - 1n

/** A number as a server may have sent it, in digits. Throws what `mailProblem` knows for any other. */
function toNumber(sent: unknown, { min, max }: { min: bigint; max: bigint }): string {
  const isWhole = typeof sent === 'bigint' || (typeof sent === 'number' && Number.isSafeInteger(sent))
  const number = isWhole ? BigInt(sent) : null
  if (number !== null && number >= min && number <= max) return String(number)
  throw Object.assign(new Error('The server sent a number that there is not.'), { code: 'BadNumber' })
}

const toUid = (sent: unknown): number => Number(toNumber(sent, { min: 1n, max: maxNumber }))

const maxPath = 1000

/** Other folders are not read: their names cannot be kept. */
const isStorable = (path: string): boolean =>
  path.length <= maxPath && path.isWellFormed() && !path.includes('\0')

/** Resolves also when the connection is lost: the next command finds that out. */
async function waitForNews(
  client: ImapFlow,
  { path, opened }: KnownFolder,
  { maxMs, signal }: { maxMs: number; signal: AbortSignal },
): Promise<void> {
  // What happened since the folder was looked at is told by no event.
  if (!isDeepStrictEqual(await open(client, path), opened)) return
  const ended = new AbortController()
  const events = ['exists', 'expunge', 'flags', 'close'] as const
  const end = () => ended.abort()
  for (const event of events) client.on(event, end)
  try {
    void client.idle().catch(end)
    await wait(maxMs, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => {})
  } finally {
    for (const event of events) client.off(event, end)
  }
}

/** `1:3,7`, so that a command stays short. */
function toRange(uids: readonly number[]): string {
  const ranges: string[] = []
  const sorted = uids.toSorted((a, b) => a - b)
  for (let at = 0; at < sorted.length; ) {
    let end = at
    while (sorted[end + 1] === sorted[end]! + 1) end++
    ranges.push(end === at ? `${sorted[at]}` : `${sorted[at]}:${sorted[end]}`)
    at = end + 1
  }
  return ranges.join(',')
}

const toFlags = (flags: ReadonlySet<string> | undefined): string[] =>
  [...(flags ?? [])]
    .map(cleanLine)
    .filter((flag) => flag !== '' && flag.length <= 64)
    .slice(0, maxFlags)

function toListed({
  uid,
  size,
  flags,
  internalDate,
  threadId,
  bodyStructure,
}: FetchMessageObject): ListedMessage {
  const received = new Date(internalDate ?? Number.NaN)
  const year = received.getUTCFullYear()
  return {
    uid: toUid(uid),
    bytes: Number(toNumber(size ?? 0, { min: 0n, max: maxModseq })),
    flags: toFlags(flags),
    received_at: year >= 1970 && year < 10_000 ? received : null,
    thread: cleanLine(threadId?.slice(0, 100) ?? '') || null,
    parts: bodyStructure ? partsOf(bodyStructure) : [],
  }
}

function partsOf(root: MessageStructureObject): MessagePart[] {
  const found: MessagePart[] = []
  const left = [root]
  for (let node = left.shift(); node && found.length < maxParts; node = left.shift()) {
    if (node.childNodes?.length) left.unshift(...node.childNodes)
    else found.push(toPart(node))
  }
  return found
}

function toPart(node: MessageStructureObject): MessagePart {
  const { part = '1', type, parameters, encoding = '7bit', size = 0, disposition } = node
  const named = node.dispositionParameters?.filename ?? parameters?.name ?? null
  const isText = /^text\/(?:plain|html)$/i.test(type) && disposition?.toLowerCase() !== 'attachment'
  return {
    part,
    media_type: type.toLowerCase(),
    charset: parameters?.charset ?? null,
    encoding,
    bytes: size,
    filename: isText && named === null ? null : (named ?? 'attachment'),
  }
}
