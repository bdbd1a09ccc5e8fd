import { type FileHandle, open } from 'node:fs/promises'

/** Bytes of a file that are read piece by piece. */
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
