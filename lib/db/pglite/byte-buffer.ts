const startBytes = 64 * 1024

/** Gathers bytes that come in parts; the parts may change afterwards. */
export function createByteBuffer() {
  let bytes = new Uint8Array(startBytes)
  let length = 0

  return {
    add(part: Uint8Array): void {
      const needed = length + part.length
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(part, length)
      length = needed
    },

    /** All of them, in a buffer of their own. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = bytes.slice(0, length)
      length = 0
      if (bytes.length > startBytes) bytes = new Uint8Array(startBytes)
      return taken
    },
  }
}
