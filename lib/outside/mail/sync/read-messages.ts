// Messages from a server, a few at a time: small ones whole, of large ones the headers and a text.

import { headerBytes } from '../../../files/import/mail/read-headers.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import { parseInThread } from '../message/parse-in-thread.ts'
import { maxAttachments, toAttachment } from '../message/parse-messages.ts'
import type { IncomingMessage } from '../store/store-messages.ts'
import type { ListedMessage, MailServer, MessagePart } from './mail-server.ts'

/** Bytes of a message that is taken whole. */
const maxWholeBytes = 1_000_000

/** Bytes of the text of a larger one. */
const maxTextBytes = 500_000

/** Bytes of messages in memory at once, and how many. */
const maxBatchBytes = 4_000_000

const maxBatch = 25

export type ReadMessage = { listed: ListedMessage; incoming: IncomingMessage | null }

export type ReadingDeps = { threads: Pick<TextThreads, 'run'>; now: () => Date }

/** Groups of messages that fit into memory, in their order. */
export function toBatches(listed: readonly ListedMessage[]): ListedMessage[][] {
  const batches: ListedMessage[][] = []
  let bytes = 0
  for (const message of listed) {
    const cost = Math.min(message.bytes, maxWholeBytes)
    const last = batches.at(-1)
    if (last && last.length < maxBatch && bytes + cost <= maxBatchBytes) {
      last.push(message)
      bytes += cost
    } else {
      batches.push([message])
      bytes = cost
    }
  }
  return batches
}

/** Those of a batch that are there; `incoming` null for one that cannot be read. */
export async function readMessages(
  server: MailServer,
  batch: readonly ListedMessage[],
  { threads, now }: ReadingDeps,
): Promise<ReadMessage[]> {
  const raw = await fetchBatch(server, batch)
  const parsed = await parseInThread(
    threads,
    raw.map(({ bytes }) => bytes),
  )
  return raw.map(({ listed, whole }, index) => {
    const outcome = parsed[index]
    if (!outcome) return { listed, incoming: null }
    const attachments = whole ? outcome.attachments : attachmentsOf(listed)
    return {
      listed,
      incoming: {
        parsed: { ...outcome, attachments },
        received_at: listed.received_at ?? now(),
        whole,
        provider_thread: listed.thread,
      },
    }
  })
}

type RawMessage = { listed: ListedMessage; bytes: Uint8Array; whole: boolean }

async function fetchBatch(server: MailServer, batch: readonly ListedMessage[]): Promise<RawMessage[]> {
  const small = batch.filter(({ bytes }) => bytes <= maxWholeBytes)
  const fetched = small.length > 0 ? await server.fetch(small.map(({ uid }) => uid)) : new Map()
  const raw: RawMessage[] = []
  for (const listed of batch) {
    const bytes = fetched.get(listed.uid)
    if (bytes) raw.push({ listed, bytes, whole: true })
    else if (listed.bytes > maxWholeBytes) {
      const partial = await fetchPartial(server, listed)
      if (partial) raw.push({ listed, bytes: partial, whole: false })
    }
  }
  return raw
}

async function fetchPartial(server: MailServer, { uid, parts }: ListedMessage): Promise<Uint8Array | null> {
  const texts = parts.filter(({ filename }) => filename === null)
  const part = texts.find(({ media_type }) => media_type === 'text/plain') ?? texts[0] ?? null
  const found = await server.fetchPart(uid, part?.part ?? null, maxTextBytes)
  return found && partialMessage(found.headers, part, found.body)
}

const attachmentsOf = ({ parts }: ListedMessage) =>
  parts
    .filter((part): part is MessagePart & { filename: string } => part.filename !== null)
    .slice(0, maxAttachments)
    .map(({ filename, media_type, bytes }) => toAttachment(filename, media_type, bytes))

// A message that is too large to be taken whole: its headers and one text, put together as a message of its own, so that
// one reader reads both kinds.

export type TextPart = { media_type: string; charset: string | null; encoding: string }

/** `part` null: it has no text. What a server says of a part gets no line of its own in the headers. */
export function partialMessage(headers: Uint8Array, part: TextPart | null, body: Uint8Array): Uint8Array {
  const text = Buffer.from(headers.subarray(0, headerBytes)).toString('latin1')
  const kept = withoutContent(text.split(/\r?\n/))
  const described = part
    ? [
        `Content-Type: ${token(part.media_type)}${part.charset ? `; charset="${token(part.charset)}"` : ''}`,
        `Content-Transfer-Encoding: ${token(part.encoding)}`,
      ]
    : []
  const head = [...kept, ...described, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

/** Header lines but those that describe the content, which is another one here. */
function withoutContent(lines: readonly string[]): string[] {
  const kept: string[] = []
  let dropping = false
  for (const line of lines) {
    if (line === '') break
    if (!/^[ \t]/.test(line)) dropping = /^content-/i.test(line)
    if (!dropping) kept.push(line)
  }
  return kept
}

const token = (text: string): string => text.replace(/[^\w!#$&+./^-]/g, '').slice(0, 100)

/** What is read of each item, in order; the next one is read while the last is dealt with. Rejects with what `read` does. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let next: Promise<Result> | null = null
  try {
    for (const [at, item] of items.entries()) {
      const result = await (next ?? read(item))
      const following = items[at + 1]
      next = following === undefined ? null : read(following)
      // It may fail while nobody waits for it yet.
      next?.catch(() => {})
      yield result
    }
  } finally {
    // Who stops in between has no reading under way behind them.
    await next?.catch(() => {})
  }
}
