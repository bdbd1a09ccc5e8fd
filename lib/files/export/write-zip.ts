import { Readable } from 'node:stream'
import yazl from 'yazl'
import type { VaultFile } from './export-vault.ts'

/** Packed already: packing them once more costs time and gains nothing. */
const packed =
  /\.(jpe?g|png|gif|webp|avif|heic|mp[34]|m4a|mov|webm|ogg|flac|zip|gz|docx|xlsx|pptx|odt|epub)$/i

/** Files as an archive, which is made as fast as it is read: the next file is asked for when the last has gone out. */
export function zipOf(files: AsyncIterable<VaultFile>, mtime: Date): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  // A reader that went away asks for nothing more.
  const left = Promise.withResolvers<never>()
  left.promise.catch(() => {})
  output.once('close', () => left.reject(new Error('reader disconnected')))
  const feed = async () => {
    for await (const { path, bytes } of files) {
      const gone = Promise.withResolvers<void>()
      zip.addReadStreamLazy(path, { mtime, compress: !packed.test(path) }, (give) => {
        const stream = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)], {
          objectMode: false,
        })
        stream.on('close', gone.resolve).on('error', gone.reject)
        give(null, stream)
      })
      await Promise.race([gone.promise, left.promise])
    }
    zip.end()
  }
  feed().catch((error: Error) => output.destroy(error))
  return output
}
