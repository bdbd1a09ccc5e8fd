import { SkippedFile } from '../format.ts'
import { gatherMessages } from '../mail/gather-messages.ts'
import { groupThreads } from '../mail/group-threads.ts'
import { splitMbox, unquoteFrom } from '../mail/split-mbox.ts'
import type { Parser } from '../parse/parser.ts'
import { largestFile, type PlainFile, tooLarge } from '../source-file.ts'
import type { StoredBytes } from '../stored-bytes.ts'
import { conversationName, expandConversation } from './expand-conversation.ts'

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
      const reads = thread.map(({ key: { start, end } }) => async () => {
        if (end - start > largestFile) throw new SkippedFile(tooLarge(end - start))
        return unquoteFrom(await mailbox.read(start, end - start))
      })
      yield* skippingProblems(path, conversation(path, reads))
    }
  } finally {
    await mailbox.close()
  }

  async function* conversation(path: string, reads: Iterable<() => Promise<Uint8Array>>) {
    yield* expandConversation(parser, path, await gatherMessages(reads))
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
