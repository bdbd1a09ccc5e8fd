import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { baseName, extensionOf } from '../../../core/text/paths.ts'
import { type Decoded, decodeText, encodingWarnings } from './decode.ts'
import type { AttachedFile, FileBytes, ParsedFile } from './format.ts'
import { isTextual, mimeOf } from './mime.ts'

/**
 * A file that no format claims, as a source document: its unchanged bytes, and its text if it has one. An unknown
 * extension counts as text if the bytes are plain UTF-8.
 */
export function parseAttachment({ path, bytes }: FileBytes): ParsedFile {
  const mime = mimeOf(path)
  const decoded = mime && !isTextual(mime) ? null : decodeText(bytes)
  const text = mime || (decoded?.encoding === 'utf-8' && !decoded.guessed) ? decoded : null

  return {
    type: 'source_doc',
    title: baseName(path),
    fields: {
      mime: mime ?? (text ? 'text/plain' : 'application/octet-stream'),
      text: text?.text.slice(0, maxBodyLength) ?? '',
      metadata: { path, size: bytes.length },
    },
    hidden: { original: Buffer.from(bytes), sha256: createHash('sha256').update(bytes).digest('hex') },
    warnings: [...unreadWarning(path), ...(text ? warningsAbout(text) : [])],
  }
}

/** Exports of apps that are not read. */
const unread = new Set(
  (
    '.one .onepkg .onetoc2 .doc .pages .key .numbers .nsx .edn .mht .mhtml .webarchive .sdocx .goodnotes .note .notes ' +
    '.ntb .ulysses .scriv .bear .nbk .jnt .mobi .azw3 .rtfd .xopp .wpd .abw .znote .notesnook .mindnode .xmind .mm ' +
    '.org .tid .wiki .adoc .asciidoc .rst .textile .fb2 .ipynb .apkg .colpkg .sqlite .sqlite3 .db .xls .xlsx .ods ' +
    '.ppt .pptx .odp .hwp .hwpx .djvu'
  ).split(' '),
)

/** Says of a file that may hold notes that they were not read. Logseq's own settings hold none. */
function unreadWarning(path: string): string[] {
  return unread.has(extensionOf(path)) && !/(?:^|\/)logseq\/[^/]+\.edn$/.test(path)
    ? ['stored as a file; notes in it were not read']
    : []
}

/** The file that a page was read from, to be kept beside it. */
export const originalOf = ({ path, bytes }: FileBytes): AttachedFile => ({
  name: `original${extensionOf(path)}`,
  bytes: new Uint8Array(bytes),
  original: true,
})

/** Folder of the files that come with a file, as browsers name it when they save a whole page. */
export const folderOfAttached = (path: string): string =>
  `${path.slice(0, path.length - extensionOf(path).length)}_files/`

function warningsAbout(decoded: Decoded): string[] {
  return [
    ...(decoded.text.length > maxBodyLength
      ? ['it is long; only its first 2,000,000 characters can be searched']
      : []),
    ...encodingWarnings(decoded),
  ]
}

/** Chunk size for streamed files, in bytes. */
export type StoredBytes = {
  size: number
  /** At most `length` bytes from `start`. */
  read(start: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export async function openStored(location: string | Buffer): Promise<StoredBytes> {
  const file: FileHandle = await open(location, 'r')
  const { size } = await file.stat()
  return {
    size,
    async read(start, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

/** A place on disk for unpacked files. */
export type ScratchFile = { file: string; remove(): Promise<void> }

/** `file` does not exist yet. `remove` deletes it with its folder. */
export async function createScratchFile(scratch: string): Promise<ScratchFile> {
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratch, 'unpacked-'))
  return { file: join(folder, 'file'), remove: () => rm(folder, { recursive: true, force: true }) }
}

const maxAgeMs = 24 * 60 * 60 * 1000

/** Removes leftovers of killed processes. Young ones stay: another server may be reading them. */
export async function removeOldScratchFiles(scratch: string, now: Date): Promise<void> {
  for (const name of await readdir(scratch).catch(() => [])) {
    const path = join(scratch, name)
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true })
  }
}
