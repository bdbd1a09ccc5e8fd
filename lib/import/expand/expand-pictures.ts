// The pictures in Word documents, as files of their own beside the document: what its text shows.

import { extensionOf } from '../file-name.ts'
import { SkippedFile } from '../format.ts'
import { pictureName } from '../picture-name.ts'
import type { PlainFile, ReadFile } from '../source-file.ts'
import { eachEntry, openArchive, readEntry } from '../zip/open-archive.ts'

const mostPictures = 300
const mostBytes = 200 * 1024 * 1024

/** Files, each Word document followed by its pictures. Those of an export are among the files already. */
export async function* expandPictures(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  for await (const file of files) {
    yield file
    if (!('bytes' in file) || file.document || extensionOf(file.readAs ?? file.path) !== '.docx') continue
    try {
      yield* picturesOf(file)
    } catch (error) {
      // What is wrong with the document is told of the document.
      if (!(error instanceof SkippedFile)) throw error
    }
  }
}

async function* picturesOf({ path, bytes, origin }: ReadFile): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length)
  const zip = await openArchive(bytes)
  const seen = new Set<string>()
  let left = mostBytes
  try {
    for await (const entry of eachEntry(zip)) {
      if (!/^word\/media\/[^/]+$/.test(entry.fileName)) continue
      if (seen.size >= mostPictures || left <= 0) {
        return yield {
          path: `${folder}/…`,
          skip: 'the document holds more pictures than are taken out of one',
        }
      }
      const picture = await readEntry(zip, entry, left)
      left -= picture.length
      const name = pictureName(picture)
      if (seen.has(name)) continue
      seen.add(name)
      yield { path: `${folder}/${name}`, bytes: picture, attached: true, ...(origin && { origin }) }
    }
  } finally {
    zip.close()
  }
}
