import { maxFileBytes } from '../../vault/file-size.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'

/** Bytes after which no further message of a conversation is read. */
const longEnough = 2 * maxFileBytes

export type CollectedMessages = { messages: Uint8Array[]; warnings: string[] }

/**
 * The messages of a conversation, in order. `read` throws `SkippedFile` for one that cannot be read, which is left out
 * and told of; so are those beyond the size that is read at once. Throws the first such reason when none is left.
 */
export async function collectMessages(
  reads: Iterable<() => Promise<Uint8Array>>,
  most: number = longEnough,
): Promise<CollectedMessages> {
  const messages: Uint8Array[] = []
  const problems: string[] = []
  let size = 0
  let beyond = 0

  for (const read of reads) {
    if (size >= most) {
      beyond++
      continue
    }
    try {
      const bytes = await read()
      size += bytes.length
      messages.push(bytes)
    } catch (error) {
      if (!(error instanceof SkippedFile)) throw error
      problems.push(error.message)
    }
  }
  if (messages.length === 0) throw new SkippedFile(problems[0] ?? 'it has no message')
  const warnings = problems.map((problem) => `a message was left out: ${problem}`)
  if (beyond > 0) warnings.push(`its conversation is too long; the last ${beyond} messages were left out`)
  return { messages, warnings }
}
