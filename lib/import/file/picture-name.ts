import { createHash } from 'node:crypto'

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ['.png', [0x89, 0x50, 0x4e, 0x47]],
  ['.jpg', [0xff, 0xd8, 0xff]],
  ['.gif', [0x47, 0x49, 0x46, 0x38]],
  ['.bmp', [0x42, 0x4d]],
]

/** What a picture in a document is called: by what it shows alone, so that text and file agree wherever they lie. */
export function pictureName(bytes: Uint8Array): string {
  const known = signatures.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return `picture-${digest}${known?.[0] ?? '.bin'}`
}
