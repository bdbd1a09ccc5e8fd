// Archives, mailboxes and messages are unpacked on the way in: what comes out are files like any other, with paths
// below the one that held them.

import { extensionOf } from '../file-name.ts'
import { SkippedFile } from '../format.ts'
import type { Parser } from '../parse/parser.ts'
import type { PlainFile, SourceFile } from '../source-file.ts'
import { inMemory, openStored } from '../stored-bytes.ts'
import { createBudget } from './budget.ts'
import { expandConversation } from './expand-conversation.ts'
import { expandMailbox } from './expand-mailbox.ts'
import { expandZip } from './expand-zip.ts'

export type ExpandOptions = {
  parser: Parser
  /** The path of an archive that is the whole import: what it holds is named without it. */
  root?: string | null
}

/** Whether a file is read piece by piece from where it lies, and may be larger than others. */
export const isContainer = (path: string): boolean => ['.zip', '.mbox'].includes(extensionOf(path))

/** Files with those that hold others unpacked, in order. One that cannot be unpacked is handed on with the reason. */
export async function* expandFiles(
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>,
  { parser, root = null }: ExpandOptions,
): AsyncGenerator<PlainFile> {
  const budget = createBudget()

  for await (const file of files) {
    try {
      yield* expand(file)
    } catch (error) {
      if (!(error instanceof SkippedFile)) throw error
      yield { path: file.path, skip: error.message }
    }
  }

  async function* expand(file: SourceFile): AsyncGenerator<PlainFile> {
    if ('messages' in file) return yield* expandConversation(parser, file.path, file)
    if ('skip' in file || 'joined' in file) return yield file

    const extension = extensionOf(file.path)
    if (extension === '.zip') {
      const source = 'stored' in file ? String(file.stored) : file.bytes
      const prefix = file.path === root ? '' : `${withoutExtension(file.path)}/`
      return yield* expandZip({ source, prefix, parser, budget, depth: 0 })
    }
    if (extension === '.mbox') {
      const mailbox = 'stored' in file ? await openStored(file.stored) : inMemory(file.bytes)
      return yield* expandMailbox({ mailbox, folder: withoutExtension(file.path), parser })
    }
    if ('stored' in file) return yield { path: file.path, skip: 'it is no archive' }
    if (extension === '.eml' && !file.attached)
      return yield* expandConversation(parser, file.path, { messages: [file.bytes], warnings: [] })
    yield file
  }
}

const withoutExtension = (path: string) => path.slice(0, path.length - extensionOf(path).length)
