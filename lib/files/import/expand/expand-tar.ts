// Archives of tar, read one entry at a time. Nothing in a header is trusted: names are checked later like all others, and
// sizes end at the end of the file.

import { maxFileBytes, SkippedFile, tooLarge } from '../../vault/paths.ts'
import { openStored, type StoredBytes } from '../file/attachment.ts'
import type { PlainFile } from '../file/format.ts'
import { isoTime } from '../file/notebook.ts'
import type { Budget } from './expand-zip.ts'

const blockBytes = 512
const maxEntries = 500_000
const maxNameBytes = 64 * 1024

type TarTask = { source: Uint8Array | string | Buffer; isStored: boolean; prefix: string; budget: Budget }

/** The files in a tar archive, with paths below `prefix`. Throws `SkippedFile` if it is none. */
export async function* expandTar({ source, isStored, prefix, budget }: TarTask): AsyncGenerator<PlainFile> {
  const stored = isStored ? await openStored(source as string | Buffer) : inMemory(source as Uint8Array)
  let longName = ''
  let at = 0
  try {
    for (let count = 0; at + blockBytes <= stored.size; count++) {
      const header = await stored.read(at, blockBytes)
      if (header.every((byte) => byte === 0)) break
      if (!hasChecksum(header) || count > maxEntries) {
        if (count === 0) throw new SkippedFile('it is not a tar archive')
        return yield { path: `${prefix}…`, skip: 'the archive is damaged from here on' }
      }
      const size = sizeOf(header)
      const type = String.fromCharCode(header[156]!)
      const start = at + blockBytes
      at = start + Math.ceil(size / blockBytes) * blockBytes
      if (type === 'L' || type === 'x') {
        longName = nameIn(type, await stored.read(start, Math.min(size, maxNameBytes))) || longName
        continue
      }
      const path = prefix + (longName || nameOf(header))
      longName = ''
      if (type !== '0' && type !== '\0') continue
      if (start + size > stored.size) yield { path, skip: 'the archive ends within it' }
      else if (size > maxFileBytes) yield { path, skip: tooLarge(size) }
      else {
        budget.spend(size)
        yield { path, bytes: await stored.read(start, size), modified: dateOf(header) }
      }
    }
  } finally {
    await stored.close()
  }
}

const inMemory = (bytes: Uint8Array): StoredBytes => ({
  size: bytes.length,
  read: async (start, length) => Buffer.from(bytes.subarray(start, start + length)),
  close: async () => {},
})

const text = (header: Buffer, from: number, length: number): string =>
  header
    .subarray(from, from + length)
    .toString('utf8')
    .split('\0', 1)[0] ?? ''

function nameOf(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  return (prefix === '' ? '' : `${prefix}/`) + text(header, 0, 100)
}

/** The long name of the next entry, as GNU writes it or POSIX. */
function nameIn(type: string, data: Buffer): string {
  if (type === 'L') return data.toString('utf8').split('\0', 1)[0] ?? ''
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(data.toString('utf8'))?.[1] ?? ''
}

function sizeOf(header: Buffer): number {
  const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8)
  return Number.isSafeInteger(size) && size >= 0 ? size : 0
}

/** Its header has seconds since 1970. */
const dateOf = (header: Buffer): string | undefined =>
  isoTime(Number.parseInt(text(header, 136, 12).trim(), 8) * 1000) ?? undefined

function hasChecksum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return Number.parseInt(text(header, 148, 8).trim(), 8) === sum
}
