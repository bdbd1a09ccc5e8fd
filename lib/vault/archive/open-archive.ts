import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { SkippedFile } from '../skipped-file.ts'

const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const

/** Opens an archive in memory or on disk. Throws `SkippedFile` when it is none. */
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

/** The bytes of an entry, at most `most`: what an entry says of its size is not believed. Throws `SkippedFile`. */
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
