import { createHash } from 'node:crypto'
import { parseAttachment } from './attachment.ts'
import { checkPath } from './check-path.ts'
import { extensionOf } from './file-name.ts'
import type { ParsedFile } from './format.ts'
import type { Formats } from './formats.ts'
import { largestFile, type SourceFile, tooLarge } from './source-file.ts'

/** A file that may come in. `parse` reads it once, when it is asked for, and throws what the format throws. */
export type PreparedFile = { path: string; size: number; sha256: string; parse(): Promise<ParsedFile> }

export type Prepared = PreparedFile | { path: string; skip: string; hidden?: true }

/** Checks path and size and takes the hash. */
export function prepareFile(formats: Formats, file: SourceFile): Prepared {
  const { path, problem, hidden } = checkPath(file.path)
  if (hidden) return { path, skip: 'it is hidden', hidden: true }
  if (problem) return { path: path.slice(0, 200), skip: problem }
  if ('skip' in file) return { path, skip: file.skip }
  const { bytes } = file
  if (bytes.length > largestFile) return { path, skip: tooLarge(bytes.length) }

  const parse = formats.get(extensionOf(path))?.parse ?? parseAttachment
  let parsed: Promise<ParsedFile> | undefined
  return {
    path,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    parse() {
      parsed ??= Promise.resolve(parse({ path, bytes }))
      return parsed
    },
  }
}
