// Archives and mailboxes are unpacked during an import: their contents are files like any other, with paths below the
// container's.

import { writeFile } from 'node:fs/promises'
import { baseName, extensionOf, folderOf, stemOf } from '../../../core/text/paths.ts'
import { createExpansionLimit, openArchive, readDirectory, readEntry } from '../../vault/archive.ts'
import { type Dates, readManifest, type VaultManifest } from '../../vault/manifest.ts'
import { manifestName, SkippedFile } from '../../vault/paths.ts'
import { isChatsName } from '../chats/chat.ts'
import { createScratchFile } from '../file/attachment.ts'
import type { PlainFile, ReadFile, SourceFile } from '../file/format.ts'
import { pictureName } from '../file/mime.ts'
import { expandChats } from './expand-chats.ts'
import { splitEnex } from './expand-notebooks.ts'
import { expandTar } from './expand-tar.ts'
import { type Budget, type ExpandContext, expandMailbox, expandZip, skippingProblems } from './expand-zip.ts'
import { isExportName } from './notion.ts'

type ExpandOptions = ExpandContext & {
  /** The path of an archive that is the whole import: its contents' paths omit its name. */
  root?: string | null
}

/** True if a file is streamed from disk, and may be larger than others. */
export const isContainer = (path: string): boolean =>
  [...zips, ...tars, '.mbox', '.enex'].includes(extensionOf(path)) || isChatsName(path)

/** Archives, also those of apps: of text bundles and of Bear. */
const zips = ['.zip', '.textpack', '.bear2bk']
const tars = ['.tar', '.jex']

/** Files whose contents have paths below theirs, without its extension. */
export const holdsFiles = (path: string): boolean =>
  isContainer(path) || ['.eml', '.docx', '.epub', '.json'].includes(extensionOf(path))

/** Files with containers unpacked, in order. One that cannot be unpacked is passed on with the reason. */
export async function* expandFiles(
  files: Iterable<SourceFile> | AsyncIterable<SourceFile>,
  { root = null, ...context }: ExpandOptions,
): AsyncGenerator<PlainFile> {
  for await (const file of files) yield* skippingProblems(file.path, expand(file))

  async function* expand(file: SourceFile): AsyncGenerator<PlainFile> {
    if ('skip' in file || 'chat' in file) return yield file

    const extension = extensionOf(file.path)
    if (zips.includes(extension)) {
      const source = 'stored' in file ? String(file.stored) : file.bytes
      const prefix =
        file.path === root || isExport(file.path)
          ? folderOf(file.path)
          : `${withoutExtension(file.path)}${extension === '.textpack' ? '.textbundle' : ''}/`
      return yield* expandZip({ ...context, source, prefix, depth: 0 })
    }
    if (tars.includes(extension)) {
      const isStored = 'stored' in file
      const source = isStored ? file.stored : file.bytes
      return yield* expandTar({ ...context, source, isStored, prefix: `${withoutExtension(file.path)}/` })
    }
    if (extension === '.enex' && 'stored' in file) return yield* splitEnex(file.path, file.stored)
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
    if (isChatsName(file.path)) {
      if ('stored' in file) return yield* expandChats(context, { file: file.stored, path: file.path })
      const copy = await createScratchFile(context.scratch)
      try {
        await writeFile(copy.file, file.bytes, { mode: 0o600 })
        return yield* expandChats(context, { file: copy.file, path: file.path })
      } finally {
        await copy.remove()
      }
    }
    if ('stored' in file) return yield { path: file.path, skip: 'it is not an archive' }
    yield file
  }
}

/** Notion's names of archives say nothing: what is in one comes in as if it were in its place. */
const isExport = (path: string) => isExportName(stemOf(path))

const withoutExtension = (path: string) => path.slice(0, path.length - extensionOf(path).length)

/**
 * Files with the export manifest's data about documents and messages; the manifest itself is removed. It is at the top
 * of the export, so it comes before them. `folderDates`: gets the dates of folders, which are no files.
 */
export async function* applyManifest(
  files: AsyncIterable<PlainFile>,
  folderDates: Map<string, Dates> = new Map(),
): AsyncGenerator<PlainFile> {
  const manifests = new Map<string, VaultManifest & { recordPaths: ReadonlySet<string> }>()

  for await (const file of files) {
    if (!('bytes' in file)) {
      yield file
      continue
    }
    const manifest = baseName(file.path) === manifestName ? readManifest(file.bytes) : null
    if (manifest) {
      for (const [path, dates] of Object.entries(manifest.dates))
        if (path.endsWith('/')) folderDates.set(folderOf(file.path) + path, dates)
      manifests.set(folderOf(file.path), { ...manifest, recordPaths: new Set(manifest.records) })
      continue
    }
    if (isRecord(file.path)) {
      yield { path: file.path, skip: 'it is a record of research, which is not imported' }
      continue
    }
    const { document, note, mail, dates } = find(file.path) ?? {}
    const dated = { ...file, ...(dates && { dates }) }
    if (document) yield { ...dated, attached: true, document }
    else if (note) yield { ...dated, note }
    else yield mail ? { ...file, mail } : dated
  }

  function isRecord(path: string): boolean {
    return [...manifests].some(
      ([folder, { recordPaths }]) => path.startsWith(folder) && recordPaths.has(path.slice(folder.length)),
    )
  }

  function find(path: string) {
    for (const [folder, { documents, notes, mail, dates }] of manifests) {
      const inside = path.slice(folder.length)
      if (!path.startsWith(folder)) continue
      const of = <Entry>(entries: Record<string, Entry>) =>
        Object.hasOwn(entries, inside) ? entries[inside] : undefined
      return { document: of(documents), note: of(notes), mail: of(mail), dates: of(dates) }
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
