import yauzl from 'yauzl'

/** Bytes that the entries of an archive say they unpack to. Throws when the archive cannot be read. */
export async function measureZip(bytes: Uint8Array): Promise<number> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
  })
  let total = 0
  for await (const entry of zip.eachEntry()) total += entry.uncompressedSize
  return total
}
