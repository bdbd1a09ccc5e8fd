import { extensionOf } from '../../vault/file-name.ts'
import { maxFileBytes, tooLarge } from '../../vault/file-size.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import type { PlainFile } from '../file/source-file.ts'
import { openStored } from '../file/stored-bytes.ts'
import { unquoteFrom } from '../mail/split-mbox.ts'
import type { ExpandContext } from './expand-context.ts'

/** The messages of a mailbox on disk, by their numbers in it; its name is the folder that they lay in. */
export async function* expandMailbox(
  context: ExpandContext,
  { file, path }: { file: string | Buffer; path: string },
): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length).slice(-maxFolderLength)
  const mailbox = await openStored(file)
  try {
    const messages = await context.parser.readMailbox(file, mailbox.size)
    if (messages.length === 0) throw new SkippedFile('it has no messages in mbox format')
    for (const [index, { start, end, flags }] of messages.entries()) {
      const name = `${path}/${index + 1}`
      if (end - start > maxFileBytes) {
        yield { path: name, skip: tooLarge(end - start) }
        continue
      }
      const bytes = unquoteFrom(await mailbox.read(start, end - start))
      yield { path: name, bytes, mail: { sent: false, places: [{ folder, flags }] } }
    }
  } finally {
    await mailbox.close()
  }
}

const maxFolderLength = 1000
