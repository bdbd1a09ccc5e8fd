import type { AttachedFile } from '../contract/companion/companion.ts'
import { imageTypeOf, isImageType } from '../contract/companion/image-type.ts'
import { maxImageBytes, maxMessageImageBytes } from '../contract/trust.ts'
import { AppError, invalid, notFound } from '../core/errors.ts'
import { quoteName } from '../core/text/quote-name.ts'
import type { Queryable } from '../db/pool.ts'
import { createSourceDocsRepo, type FileHead } from '../db/repos/source_docs.ts'

/**
 * Files that come with a message, each once. Throws an `AppError`: 404 for one that is not in the Space, 400 for an
 * image that no model takes, 413 for one that is too large.
 */
export async function findAttachedFiles(
  { database }: { database: Queryable },
  spaceId: string,
  ids: readonly string[],
): Promise<AttachedFile[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await createSourceDocsRepo(database).listHeads(spaceId, wanted)
  const heads = new Map(found.map((head) => [head.id, head]))
  const files = wanted.map((id) => {
    const head = heads.get(id)
    if (!head) throw notFound('file', id)
    return toAttachedFile(head)
  })
  const images = files.filter(({ mime }) => isImageType(mime)).reduce((sum, { size }) => sum + size, 0)
  if (images > maxMessageImageBytes)
    throw tooLarge(`The images of one message may have ${inMegabytes(maxMessageImageBytes)} together`, images)
  return files
}

function toAttachedFile({ id, title, mime, size, head }: FileHead): AttachedFile {
  const type = head && imageTypeOf(head)
  // A drawing in SVG is a text, and read as one.
  if (!type && mime.startsWith('image/') && mime !== 'image/svg+xml')
    throw invalid(`${quoteName(title, 40)} cannot be shown to a model. Attach a PNG, JPEG, GIF or WebP.`)
  if (type && size > maxImageBytes)
    throw tooLarge(
      `${quoteName(title, 40)} is too large: an image may have ${inMegabytes(maxImageBytes)}`,
      size,
    )
  return { id, title, mime: type ?? mime, size }
}

const tooLarge = (limit: string, size: number) =>
  new AppError('too_large', 413, `${limit}, not ${inMegabytes(size)}.`)

const inMegabytes = (bytes: number) => `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MB`
