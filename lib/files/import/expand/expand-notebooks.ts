// Notebooks are taken apart in the parser's thread: their notes are files like any other, with paths below the notebook's.

import { extensionOf } from '../../../core/text/paths.ts'
import { maxFileBytes, SkippedFile } from '../../vault/paths.ts'
import { openStored } from '../file/attachment.ts'
import type { PlainFile, ReadFile } from '../file/format.ts'
import type { Notebook } from '../file/notebook.ts'
import { ownNotebooks } from '../parse/formats.ts'
import type { ExpandContext } from './expand-zip.ts'

/** Files with notebooks in place of what they are. One that cannot be read is stored as a file, with the reason. */
export async function* expandNotebooks(
  files: AsyncIterable<PlainFile>,
  { parser, budget }: Pick<ExpandContext, 'parser' | 'budget'>,
): AsyncGenerator<PlainFile> {
  const notebooks = await ownNotebooks()
  const taken = new Map<string, string[]>()

  for await (const file of files) {
    const notebook = 'bytes' in file ? find(file) : undefined
    if (notebook && 'bytes' in file) yield* unpack(notebook, file)
    else yield file
  }

  function find(file: ReadFile): Notebook | undefined {
    if (file.document || file.attached || file.mail) return undefined
    const candidates = notebooks.get(extensionOf(file.path)) ?? []
    return candidates.find(({ recognizes }) => recognizes?.(file.bytes) ?? true)
  }

  async function* unpack(notebook: Notebook, file: ReadFile): AsyncGenerator<PlainFile> {
    const { path } = file
    const folder = `${path.slice(0, path.length - extensionOf(path).length)}/`
    // A notebook that is larger than memory comes in parts.
    const names = taken.get(path) ?? []
    taken.set(path, names)
    try {
      const unpacked = await parser.unpackNotebook(extensionOf(path), {
        path,
        bytes: new Uint8Array(file.bytes),
        taken: names,
      })
      if (notebook.keepsFile) yield { ...file, attached: true }
      for (const { path: inside, bytes, attached, warnings = [] } of unpacked) {
        budget.spend(bytes.length)
        names.push(inside)
        yield { path: folder + inside, bytes, warnings, ...(attached ? { attached } : { dated: true }) }
      }
    } catch (error) {
      if (!(error instanceof SkippedFile)) throw error
      yield {
        ...file,
        attached: true,
        warnings: [`${error.message}; stored as a file; notes in it were not read`],
      }
    }
  }
}

const endOfNote = '</note>'
const partBytes = 24 * 1024 * 1024

/** An export of Evernote on disk, in parts of whole notes. */
export async function* splitEnex(path: string, location: string | Buffer): AsyncGenerator<PlainFile> {
  const stored = await openStored(location)
  let at = 0
  try {
    if (stored.size <= maxFileBytes) return yield { path, bytes: await stored.read(0, stored.size) }
    for (let length = partBytes; at < stored.size; length = partBytes) {
      let part = await stored.read(at, length)
      while (!part.includes(endOfNote) && length < maxFileBytes && at + length < stored.size) {
        length = Math.min(maxFileBytes, length * 2)
        part = await stored.read(at, length)
      }
      const end = part.lastIndexOf(endOfNote)
      if (end < 0 && at + length >= stored.size) return
      if (end >= 0) {
        yield { path, bytes: part.subarray(0, end + endOfNote.length) }
        at += end + endOfNote.length
        continue
      }
      const next = await findEnd(stored, at + length)
      yield { path: `${path}/${at}`, skip: `it is a note of more than ${maxFileBytes / 1024 / 1024} MB` }
      at = next
    }
  } finally {
    await stored.close()
  }
}

async function findEnd(stored: Awaited<ReturnType<typeof openStored>>, from: number): Promise<number> {
  const step = 1024 * 1024
  for (let at = from - endOfNote.length; at < stored.size; at += step) {
    const found = (await stored.read(at, step + endOfNote.length)).indexOf(endOfNote)
    if (found >= 0) return at + found + endOfNote.length
  }
  return stored.size
}
