// Archives and mailboxes are unpacked on the way in: what comes out are files like any other, with paths
// below the one that held them.

import { writeFile } from 'node:fs/promises'
import { extensionOf } from '../../vault/file-name.ts'
import { createScratchFile } from '../file/scratch-file.ts'
import type { PlainFile, SourceFile } from '../file/source-file.ts'
import type { ExpandContext } from './expand-context.ts'
import { expandMailbox } from './expand-mailbox.ts'
import { expandZip } from './expand-zip.ts'
import { skippingProblems } from './skipping-problems.ts'

export type ExpandOptions = ExpandContext & {
  /** The path of an archive that is the whole import: what it holds is named without it. */
  root?: string | null
}

/** Whether a file is read piece by piece from where it lies, and may be larger than others. */
export const isContainer = (path: string): boolean => ['.zip', '.mbox'].includes(extensionOf(path))

/** Files with those that hold others unpacked, in order. One that cannot be unpacked is handed on with the reason. */
export async function* expandFiles(
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>,
  { root = null, ...context }: ExpandOptions,
): AsyncGenerator<PlainFile> {
  for await (const file of files) yield* skippingProblems(file.path, expand(file))

  async function* expand(file: SourceFile): AsyncGenerator<PlainFile> {
    if ('skip' in file) return yield file

    const extension = extensionOf(file.path)
    if (extension === '.zip') {
      const source = 'stored' in file ? String(file.stored) : file.bytes
      const prefix = file.path === root ? '' : `${withoutExtension(file.path)}/`
      return yield* expandZip({ ...context, source, prefix, depth: 0 })
    }
    if (extension === '.mbox') {
      if ('stored' in file) return yield* expandMailbox(context, { file: file.stored, path: file.path })
      const copy = await createScratchFile(context.scratch)
      try {
        await writeFile(copy.file, file.bytes, { mode: 0o600 })
        return yield* expandMailbox(context, { file: copy.file, path: file.path })
      } finally {
        await copy.remove()
      }
    }
    if ('stored' in file) return yield { path: file.path, skip: 'it is not an archive' }
    yield file
  }
}

const withoutExtension = (path: string) => path.slice(0, path.length - extensionOf(path).length)
