/** Image media types accepted by the Messages API. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
type ImageType = (typeof imageTypes)[number]

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpeg = [0xff, 0xd8, 0xff]

/** Detects the image type from the first 12 bytes; `null` for any other type. */
export function imageTypeOf(head: Uint8Array): ImageType | null {
  const starts = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte)
  const says = (word: string, from: number) =>
    [...word].every((letter, at) => head[from + at] === letter.charCodeAt(0))
  if (starts(png)) return 'image/png'
  if (starts(jpeg)) return 'image/jpeg'
  if (says('GIF87a', 0) || says('GIF89a', 0)) return 'image/gif'
  return says('RIFF', 0) && says('WEBP', 8) ? 'image/webp' : null
}

export const isImageType = (mime: string): mime is ImageType => imageTypes.some((type) => type === mime)
