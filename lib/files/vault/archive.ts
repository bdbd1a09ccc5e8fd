import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { baseName, extensionOf, folderOf, isVaultSettings } from '../../core/text/paths.ts'
import { detectEncoding } from './detect-encoding.ts'
import { checkPath, compareNames, createNumberedNames, SkippedFile } from './paths.ts'

// The names in an archive, in import order, with the reason why an entry is skipped. Nothing is unpacked yet.

export type ArchiveEntry = { path: string; entry: Entry; skip: string | null; warnings: string[] }

/** Maximum files in one archive. */
export const maxEntries = 200_000

export type ArchiveListing = { entries: ArchiveEntry[]; leftOut: number }

/** Throws the errors of `readDirectory`. The archive has been opened without `decodeStrings`. */
export async function listEntries(zip: ZipFile): Promise<ArchiveListing> {
  const entries: ArchiveEntry[] = []
  const nameFor = createUniqueNames()
  const expansionProblem = createExpansionLimit()
  let leftOut = 0

  const directory = await readDirectory(zip)
  const decodeName = createNameDecoder(directory)
  for (const entry of directory) {
    const name = decodeName(entry)
    if (name.endsWith('/')) continue
    const { path, problem, hidden } = checkPath(name)
    if (hidden && !isVaultSettings(path)) continue
    if (entries.length >= maxEntries) {
      leftOut++
      continue
    }
    const skip = problem ?? problemOf(entry) ?? expansionProblem(entry)
    entries.push({ ...nameFor(path || name), entry, skip })
  }
  return { entries: inOrder(entries), leftOut }
}

/** If two entries share a name both are imported, the later one under a new name. */
function createUniqueNames(): (path: string) => Pick<ArchiveEntry, 'path' | 'warnings'> {
  const taken = new Set<string>()
  const nextName = createNumberedNames()

  return (given) => {
    const stem = given.slice(0, given.length - extensionOf(given).length)
    const extension = given.slice(stem.length)
    const path = nextName(given, stem, (name) => taken.has(name + extension)) + extension
    taken.add(path)
    return { path, warnings: path === given ? [] : [`the archive holds another file named ${given}`] }
  }
}

function problemOf(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'it is encrypted'
  if (!entry.canDecodeFileData()) return 'it is packed in a way that cannot be unpacked'
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
    return 'it is a symbolic link, which is not followed'
  return null
}

// Same order as on disk: a folder's files, its description first, then its subfolders.
function inOrder(entries: ArchiveEntry[]): ArchiveEntry[] {
  const byFolder = Map.groupBy(entries, ({ path }) => folderOf(path))
  const folders = [...byFolder.keys()].sort((a, b) => (a < b ? -1 : 1))
  return folders.flatMap((folder) => {
    const compare = compareNames(folder)
    return byFolder.get(folder)!.sort((a, b) => compare(baseName(a.path), baseName(b.path)))
  })
}

const maxNameSample = 64 * 1024

/** Encodings of names in archives besides UTF-8 and the one in the specification, which is that of western DOS. */
const nameEncodings =
  /^(?:shift_jis|euc-jp|gbk|big5|euc-kr|koi8-u|ibm866|iso-8859-5|windows-(?:874|1251|1253|1255|1256))$/

/**
 * Decodes names, in addition to yauzl's check, which rejects the whole archive for one bad name. Those that are not
 * UTF-8 are all in one encoding: a single name is too short to tell.
 */
function createNameDecoder(entries: readonly Entry[]): (entry: Entry) => string {
  const others = entries.filter((entry) => decodeUtf8(entry) === null && !hasUnicodeName(entry))
  const sample = Buffer.concat(others.flatMap(({ fileNameRaw }) => [fileNameRaw, Buffer.from('\n')]))
  const label = looksWestern(sample) ? '' : detectEncoding(sample.subarray(0, maxNameSample))
  const decoder = nameEncodings.test(label) ? new TextDecoder(label) : null

  return (entry) => {
    const { fileNameRaw, extraFields } = entry
    const legacy = decoder && !hasUnicodeName(entry) ? decoder.decode(fileNameRaw) : null
    const name = decodeUtf8(entry) ?? legacy ?? getFileNameLowLevel(0, fileNameRaw, extraFields, true)
    return name.replaceAll('\\', '/')
  }
}

/** True if few letters have an accent, none beside another: no other script is written like that. */
function looksWestern(names: Uint8Array): boolean {
  let marked = 0
  for (let at = 0; at < names.length; at++) {
    if (names[at]! < 0x80) continue
    if ((names[at + 1] ?? 0) >= 0x80) return false
    marked++
  }
  return marked * 4 <= names.length
}

function decodeUtf8({ fileNameRaw }: Entry): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw)
  } catch {
    return null
  }
}

/** Info-ZIP's Unicode Path field. */
const hasUnicodeName = ({ extraFields }: Entry): boolean => extraFields.some(({ id }) => id === 0x7075)

/**
 * Total unpacked size of the entries with accepted names. Throws `SkippedFile` if the archive cannot be read, or
 * expands too far.
 */
export async function measureZip(bytes: Uint8Array, counts: (name: string) => boolean): Promise<number> {
  const zip = await openArchive(bytes)
  const problemOf = createExpansionLimit()
  let total = 0
  for (const entry of await readDirectory(zip)) {
    const problem = problemOf(entry)
    if (problem) throw new SkippedFile(problem)
    if (counts(entry.fileNameRaw.toString('utf8'))) total += entry.uncompressedSize
  }
  return total
}

const maxListed = 300_000

/** Size of the header before an entry's bytes, without its name. */
const localHeaderBytes = 30

/**
 * An archive's directory, in order. Throws `SkippedFile` if it is broken, too long, or has entries that share bytes: no
 * program packs like that, and a few kilobytes could then unpack to any size.
 */
export async function readDirectory(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= maxListed) throw new Error(`it has more than ${maxListed} entries`)
      entries.push(entry)
    }
  } catch (error) {
    throw new SkippedFile(
      `its list of files is broken: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (overlaps(entries)) throw new SkippedFile('its entries overlap; no archive of real files does that')
  return entries
}

function overlaps(entries: readonly Entry[]): boolean {
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const { relativeOffsetOfLocalHeader: start, fileNameRaw, compressedSize } of byPlace) {
    if (start < end) return true
    end = start + localHeaderBytes + fileNameRaw.length + compressedSize
  }
  return false
}

/** Maximum expansion ratio; no real document exceeds it. */
const maxRatio = 500

/** Minimum unpacked bytes for the ratio to matter. */
const minUnpackedBytes = 5 * 1024 * 1024

/**
 * Tracks the expansion ratio over all of an archive's entries: many small ones add up. The returned function counts an
 * entry and returns why it is skipped, or null. Skipped entries do not count.
 */
export function createExpansionLimit(): (
  entry: Pick<Entry, 'compressedSize' | 'uncompressedSize'>,
) => string | null {
  const total = { packed: 0, unpacked: 0 }
  return ({ compressedSize, uncompressedSize }) => {
    const packed = total.packed + compressedSize
    const unpacked = total.unpacked + uncompressedSize
    if (unpacked > minUnpackedBytes && unpacked > packed * maxRatio) {
      return `it unpacks to ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times its size`
    }
    total.packed = packed
    total.unpacked = unpacked
    return null
  }
}

const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const

/** Opens an archive in memory or on disk. Throws `SkippedFile` if it is none. */
export async function openArchive(source: Uint8Array | string): Promise<ZipFile> {
  try {
    return typeof source === 'string'
      ? await yauzl.openPromise(source, options)
      : await yauzl.fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.length), options)
  } catch (error) {
    throw new SkippedFile(
      `it cannot be read as an archive: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** An entry's bytes, at most `most`: its declared size is not trusted. Throws `SkippedFile`. */
export async function readEntry(zip: ZipFile, entry: Entry, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry)
    for await (const part of stream) {
      const bytes = Buffer.from(part)
      size += bytes.length
      if (size > most) throw new SkippedFile(`it unpacks to more than ${Math.floor(most / 1024 / 1024)} MB`)
      parts.push(bytes)
    }
  } catch (error) {
    if (error instanceof SkippedFile) throw error
    throw new SkippedFile(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`)
  }
  const bytes = Buffer.concat(parts)
  if (crc32(bytes) !== entry.crc32) throw new SkippedFile('its checksum does not match')
  return bytes
}
