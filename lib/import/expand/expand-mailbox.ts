import { SkippedFile } from '../format.ts'
import { groupThreads } from '../mail/group-threads.ts'
import { splitMbox, unquoteFrom } from '../mail/split-mbox.ts'
import type { Parser } from '../parse/parser.ts'
import { largestFile, type PlainFile, tooLarge } from '../source-file.ts'
import type { StoredBytes } from '../stored-bytes.ts'
import { conversationName, expandConversation } from './expand-conversation.ts'

/** Bytes of one conversation that are read at once. */
const largestConversation = 2 * largestFile

/** The conversations of a mailbox, one after the other. Closes the mailbox. */
export async function* expandMailbox(options: {
  mailbox: StoredBytes
  folder: string
  parser: Parser
}): AsyncGenerator<PlainFile> {
  const { mailbox, folder, parser } = options
  try {
    const messages = await splitMbox(mailbox)
    if (messages.length === 0) throw new SkippedFile('it holds no messages in mbox form')
    const threads = groupThreads(messages.map((message) => ({ key: message, headers: message.headers })))
    for (const thread of threads) {
      const path = `${folder}/${conversationName(thread[0]!.headers)}`
      const bytes: Uint8Array[] = []
      let size = 0
      for (const { key } of thread) {
        const length = key.end - key.start
        if (length > largestFile)
          yield { path: `${folder}/${key.headers.subject || 'message'}`, skip: tooLarge(length) }
        else if (size + length > largestConversation)
          yield { path, skip: 'its conversation is too long; a message was left out' }
        else bytes.push(unquoteFrom(await mailbox.read(key.start, length)))
        size += length
      }
      if (bytes.length > 0) yield* skippingProblems(path, expandConversation(parser, path, bytes))
    }
  } finally {
    await mailbox.close()
  }
}

/** Files until one cannot be read; then the reason, under `path`. */
export async function* skippingProblems(
  path: string,
  files: AsyncIterable<PlainFile>,
): AsyncGenerator<PlainFile> {
  try {
    yield* files
  } catch (error) {
    if (!(error instanceof SkippedFile)) throw error
    yield { path, skip: error.message }
  }
}
