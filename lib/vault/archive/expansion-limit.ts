import type { Entry } from 'yauzl'

/** Beyond this an archive unpacks to more than any real document does. */
const maxRatio = 500
/** Bytes up to which the ratio says nothing. */
const minUnpackedBytes = 5 * 1024 * 1024

/**
 * Watches how many times its size an archive unpacks to, over all of its entries: many small ones are as large as one.
 * The function returned counts an entry and answers why it stays out, or null. One that stays out does not count.
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
