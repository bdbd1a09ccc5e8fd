// The pictures in Word documents, as files of their own beside the document: what its text shows.

import { createExpansionLimit } from '../../vault/archive/expansion-limit.ts'
import { openArchive, readEntry } from '../../vault/archive/open-archive.ts'
import { readDirectory } from '../../vault/archive/read-directory.ts'
import { extensionOf } from '../../vault/file-name.ts'
import { SkippedFile } from '../../vault/skipped-file.ts'
import { pictureName } from '../file/picture-name.ts'
import type { PlainFile, ReadFile } from '../file/source-file.ts'
import type { Budget } from './budget.ts'

const maxPictures = 300
const maxBytes = 200 * 1024 * 1024

/** Files, each Word document followed by its pictures. Those of an export are among the files already. */
export async function* expandPictures(
  files: AsyncIterable<PlainFile>,
  budget: Budget,
): AsyncGenerator<PlainFile> {
  for await (const file of files) {
    yield file
    if (!('bytes' in file) || file.document || extensionOf(file.path) !== '.docx') continue
    try {
      yield* picturesOf(file, budget)
    } catch (error) {
      // What is wrong with the document is told of the document.
      if (!(error instanceof SkippedFile)) throw error
    }
  }
}

async function* picturesOf({ path, bytes }: ReadFile, budget: Budget): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length)
  const zip = await openArchive(bytes)
  const seen = new Set<string>()
  const expansionProblem = createExpansionLimit()
  let left = maxBytes
  try {
    for (const entry of await readDirectory(zip)) {
      if (!/^word\/media\/[^/]+$/.test(entry.fileNameRaw.toString('latin1'))) continue
      if (seen.size >= maxPictures || left <= 0) {
        return yield {
          path: `${folder}/…`,
          skip: 'the document holds more pictures than are taken out of one',
        }
      }
      if (expansionProblem(entry) !== null) continue
      budget.spend(entry.uncompressedSize)
      const picture = await readEntry(zip, entry, left)
      left -= picture.length
      const name = pictureName(picture)
      if (seen.has(name)) continue
      seen.add(name)
      yield { path: `${folder}/${name}`, bytes: picture, attached: true }
    }
  } finally {
    zip.close()
  }
}
