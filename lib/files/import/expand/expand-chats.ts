import { maxFileBytes, SkippedFile, tooLarge } from '../../vault/paths.ts'
import { maxChatBytes } from '../chats/chat.ts'
import { openStored } from '../file/attachment.ts'
import type { PlainFile } from '../file/format.ts'
import type { Parser } from '../parse/parser.ts'

/** The conversations of an export on disk, below its name; a file with that name that is none as it is. */
export async function* expandChats(
  { parser }: { parser: Parser },
  { file, path }: { file: string | Buffer; path: string },
): AsyncGenerator<PlainFile> {
  const stored = await openStored(file)
  try {
    const read = stored.size > maxChatBytes ? tooMany(stored.size) : await parser.readChats(file)
    if (!read) {
      if (stored.size > maxFileBytes) throw new SkippedFile(tooLarge(stored.size))
      return yield { path, bytes: await stored.read(0, stored.size) }
    }
    for (const chat of read.chats) yield { path: `${path}/${chat.key}`, chat }
    for (const { name, reason } of read.problems)
      yield { path: `${path}/${name.replaceAll('/', '-')}`, skip: reason }
  } finally {
    await stored.close()
  }
}

function tooMany(size: number): never {
  const [held, most] = [size, maxChatBytes].map((bytes) => Math.ceil(bytes / 1024 ** 2))
  throw new SkippedFile(`it has ${held} MB; the limit for conversations is ${most} MB`)
}
