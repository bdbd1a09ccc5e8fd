// Archives and mailboxes are unpacked during an import: their contents are files like any other, with paths below the
// container's.

import { writeFile } from 'node:fs/promises'
import { createExpansionLimit, openArchive, readDirectory, readEntry } from '../../vault/archive.ts'
import { manifestName, readManifest, type VaultManifest } from '../../vault/manifest.ts'
import { baseName, extensionOf, folderOf, SkippedFile } from '../../vault/paths.ts'
import { createScratchFile } from '../file/attachment.ts'
import type { PlainFile, ReadFile, SourceFile } from '../file/format.ts'
import { pictureName } from '../file/mime.ts'
import { type Budget, type ExpandContext, expandMailbox, expandZip, skippingProblems } from './expand-zip.ts'

type ExpandOptions = ExpandContext & {
  /** The path of an archive that is the whole import: its contents' paths omit its name. */
  root?: string | null
}

/** True if a file is streamed from disk, and may be larger than others. */
export const isContainer = (path: string): boolean => ['.zip', '.mbox'].includes(extensionOf(path))

/** Files with containers unpacked, in order. One that cannot be unpacked is passed on with the reason. */
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

/**
 * Files with the export manifest's data about documents and messages; the manifest itself is removed. It is at the top
 * of the export, so it comes before them.
 */
export async function* applyManifest(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  const manifests = new Map<string, VaultManifest & { recordPaths: ReadonlySet<string> }>()

  for await (const file of files) {
    if (!('bytes' in file)) {
      yield file
      continue
    }
    const manifest = baseName(file.path) === manifestName ? readManifest(file.bytes) : null
    if (manifest) {
      manifests.set(folderOf(file.path), { ...manifest, recordPaths: new Set(manifest.records) })
      continue
    }
    if (isRecord(file.path)) {
      yield { path: file.path, skip: 'it is a record of research, which is not imported' }
      continue
    }
    const entry = find(file.path)
    if (entry?.document) yield { ...file, attached: true, document: entry.document }
    else yield entry?.mail ? { ...file, mail: entry.mail } : file
  }

  function isRecord(path: string): boolean {
    return [...manifests].some(
      ([folder, { recordPaths }]) => path.startsWith(folder) && recordPaths.has(path.slice(folder.length)),
    )
  }

  function find(path: string) {
    for (const [folder, { documents, mail }] of manifests) {
      const inside = path.slice(folder.length)
      if (!path.startsWith(folder)) continue
      if (Object.hasOwn(documents, inside)) return { document: documents[inside]! }
      if (Object.hasOwn(mail, inside)) return { mail: mail[inside]! }
    }
    return undefined
  }
}

// The pictures in Word documents, as separate files beside the document, which its text refers to.

const maxPictures = 300

const maxBytes = 200 * 1024 * 1024

/** Files, each Word document followed by its pictures. An export already contains them as files. */
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
      // The document's own import reports its problems.
      if (!(error instanceof SkippedFile)) throw error
    }
  }
}

async function* picturesOf({ path, bytes }: ReadFile, budget: Budget): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length)
  const zip = await openArchive(bytes)
  const names = new Set<string>()
  const expansionProblem = createExpansionLimit()
  let remaining = maxBytes
  try {
    for (const entry of await readDirectory(zip)) {
      if (!/^word\/media\/[^/]+$/.test(entry.fileNameRaw.toString('latin1'))) continue
      if (names.size >= maxPictures || remaining <= 0) {
        return yield {
          path: `${folder}/…`,
          skip: 'the document holds more pictures than are taken out of one',
        }
      }
      if (expansionProblem(entry) !== null) continue
      budget.spend(entry.uncompressedSize)
      const picture = await readEntry(zip, entry, remaining)
      remaining -= picture.length
      const name = pictureName(picture)
      if (names.has(name)) continue
      names.add(name)
      yield { path: `${folder}/${name}`, bytes: picture, attached: true }
    }
  } finally {
    zip.close()
  }
}
