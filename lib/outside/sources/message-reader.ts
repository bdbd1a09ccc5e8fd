// What a source sends, counted before it is parsed: each message by its bytes, values and depth, and together what nobody
// asked for. A large one is read in a thread. A source that sends more loses the connection, which says why.

import { AppError } from '../../core/errors.ts'
import { type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import { refusalOf, type ShortMessage, shortenMessage } from './shorten-message.ts'

export type MessageReader = {
  /** A message as JSON that may be parsed here. Throws an `AppError` `source_failed` once the connection has ended. */
  read(bytes: Uint8Array): Promise<string>
  /** Counts what is no message: a line, or a piece of output. Throws as `read`. */
  skip(bytes: number): void
  /** What comes now was asked for. */
  asked(): void
  /** Ends the connection. Throws as `read`. */
  refuse(reason: string): never
}

/** UTF-8 bytes of one message, and of one answer over http. */
export const maxMessageBytes = 4_000_000

/** Between two requests: messages, lines that are none, and bytes of both. */
const maxUnasked = { messages: 2000, lines: 50_000, bytes: 16_000_000 }

const shortenTask = textTask(new URL('./shorten-message.ts', import.meta.url), shortenMessage)

/** Bytes of a message that is read at once, on this thread. */
const largeBytes = 100_000

/** `end`: called once, with a sentence for the owner. */
export function createMessageReader(
  threads: Pick<TextThreads, 'run'>,
  end: (reason: string) => void,
): MessageReader {
  let sum = { messages: 0, lines: 0, bytes: 0 }
  let reason: string | null = null

  function refuse(why: string): never {
    if (reason === null) {
      reason = why
      end(why)
    }
    throw new AppError('source_failed', 502, reason)
  }

  function count(kind: 'messages' | 'lines', bytes: number): void {
    if (reason !== null) refuse(reason)
    sum[kind] += 1
    sum.bytes += bytes
    for (const [what, max] of [
      ['messages', `${maxUnasked.messages} messages`],
      ['lines', `${maxUnasked.lines.toLocaleString('en')} lines`],
      ['bytes', '16 MB'],
    ] as const) {
      if (sum[what] > maxUnasked[what]) refuse(`It sent more than ${max} nobody asked for.`)
    }
  }

  return {
    async read(message) {
      count('messages', message.length)
      if (message.length > maxMessageBytes) refuse('It sent a message of more than 4 MB.')
      if (message.length <= largeBytes) {
        const refused = refusalOf(message)
        return refused ? refuse(refused) : new TextDecoder().decode(message)
      }
      const read: ShortMessage | null = await threads.run(shortenTask, { bytes: message }, message.length)
      if (!read) refuse('It sent a message that takes too long to read.')
      return 'refused' in read ? refuse(read.refused) : read.json
    },

    skip: (bytes) => count('lines', bytes),

    asked() {
      sum = { messages: 0, lines: 0, bytes: 0 }
    },

    refuse,
  }
}
