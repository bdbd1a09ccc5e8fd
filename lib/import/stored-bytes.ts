import { type FileHandle, open } from 'node:fs/promises'

/** Bytes that are read piece by piece, from memory or from a file. */
export type StoredBytes = {
  size: number
  /** At most `length` bytes from `start`. */
  read(start: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export function inMemory(bytes: Uint8Array): StoredBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    size: buffer.length,
    read: async (start, length) => buffer.subarray(start, start + length),
    close: async () => {},
  }
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
