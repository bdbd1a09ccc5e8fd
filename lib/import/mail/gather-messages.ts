import { SkippedFile } from '../format.ts'
import { largestFile } from '../source-file.ts'

/** Bytes after which no further message of a conversation is read. */
const longEnough = 2 * largestFile

export type GatheredMessages = { messages: Uint8Array[]; warnings: string[] }

/**
 * The messages of a conversation, in order. `read` throws `SkippedFile` for one that cannot be read, which is left out
 * and told of; so are those beyond the size that is read at once. Throws the first such reason when none is left.
 */
export async function gatherMessages(
  reads: Iterable<() => Promise<Uint8Array>>,
  most: number = longEnough,
): Promise<GatheredMessages> {
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
  if (messages.length === 0) throw new SkippedFile(problems[0] ?? 'it holds no message')
  const warnings = problems.map((problem) => `a message was left out: ${problem}`)
  if (beyond > 0) warnings.push(`its conversation is too long; the last ${beyond} messages were left out`)
  return { messages, warnings }
}
