import { extensionOf } from '../../vault/file-name.ts'
import { openStored } from '../file/stored-bytes.ts'
import { groupThreads, type Message } from '../mail/group-threads.ts'
import { headerBytes, readHeaders } from '../mail/read-headers.ts'
import type { FoundFile } from './read-folder.ts'

/**
 * Files with the messages among them joined to conversations: the file of the oldest message stands for the
 * whole, the others say so. A message that cannot be read is left as it is.
 */
export async function joinMessages(
  files: readonly FoundFile[],
  readStart: (location: FoundFile['location']) => Promise<Buffer> = readStartFromDisk,
): Promise<FoundFile[]> {
  const messages: Message<FoundFile>[] = []
  for (const file of files) {
    if (extensionOf(file.path) !== '.eml' || file.skip !== undefined) continue
    const start = await readStart(file.location).catch(() => null)
    if (start) messages.push({ key: file, headers: readHeaders(start) })
  }

  const changed = new Map<FoundFile, FoundFile>()
  for (const thread of groupThreads(messages)) {
    const [first, ...others] = thread.map(({ key }) => key)
    if (!first || others.length === 0) continue
    changed.set(first, { ...first, answers: others.map(({ location }) => location) })
    for (const other of others) changed.set(other, { ...other, joined: first.path })
  }
  return files.map((file) => changed.get(file) ?? file)
}

async function readStartFromDisk(location: string | Buffer): Promise<Buffer> {
  const file = await openStored(location)
  try {
    return await file.read(0, headerBytes)
  } finally {
    await file.close()
  }
}
