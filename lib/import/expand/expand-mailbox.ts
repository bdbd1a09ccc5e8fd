import { maxFileBytes, tooLarge } from '../../vault/file-size.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import type { PlainFile } from '../file/source-file.ts'
import { openStored } from '../file/stored-bytes.ts'
import { collectMessages } from '../mail/gather-messages.ts'
import { unquoteFrom } from '../mail/split-mbox.ts'
import type { ExpandContext } from './expand-context.ts'
import { expandConversation } from './expand-conversation.ts'
import { skippingProblems } from './skipping-problems.ts'

/** The conversations of a mailbox on disk, one after the other, below `folder`. */
export async function* expandMailbox(
  context: ExpandContext,
  { file, folder }: { file: string | Buffer; folder: string },
): AsyncGenerator<PlainFile> {
  const mailbox = await openStored(file)
  try {
    const threads = await context.parser.readMailbox(file, mailbox.size)
    if (threads.length === 0) throw new SkippedFile('it has no messages in mbox format')
    for (const { name, messages } of threads) {
      const path = `${folder}/${name}`
      const reads = messages.map(({ start, end }) => async () => {
        if (end - start > maxFileBytes) throw new SkippedFile(tooLarge(end - start))
        return unquoteFrom(await mailbox.read(start, end - start))
      })
      yield* skippingProblems(path, conversation(path, reads))
    }
  } finally {
    await mailbox.close()
  }

  async function* conversation(path: string, reads: Iterable<() => Promise<Uint8Array>>) {
    yield* expandConversation(context, path, await collectMessages(reads))
  }
}
