// Whether bytes are the picture that they are said to be: by its structure, not by its name. Nothing is decoded.

import { maxImageBytes } from '../../contract/companion/glance.ts'
import { imageTypeOf } from '../../contract/companion/image-type.ts'
import { AppError, invalid } from '../../core/errors.ts'

/** Pixels of a side, and altogether. */
const maxSide = 16_384
const maxPixels = 80_000_000

const formats = {
  'image/png': { name: 'PNG', sizeOf: sizeOfPng },
  'image/jpeg': { name: 'JPEG', sizeOf: sizeOfJpeg },
  'image/webp': { name: 'WebP', sizeOf: sizeOfWebp },
}
type ScreenType = keyof typeof formats

/** Why it is not taken; `null`: it is a whole image of that type, of a size that a screen has. */
export function imageProblem(bytes: Uint8Array, mediaType: ScreenType): string | null {
  if (bytes.length > maxImageBytes) return `The picture is larger than ${maxImageBytes / 1_000_000} MB.`
  const { name, sizeOf } = formats[mediaType]
  const size = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!size) return `The picture is not a whole ${name}.`
  const { width, height } = size
  const fits = width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxPixels
  return fits ? null : `The picture has ${width} × ${height} pixels, which is more than a screen has.`
}

type Size = { width: number; height: number }

/** https://www.w3.org/TR/png-3/#5DataRep: IHDR first, IEND last, each chunk within the file. */
function sizeOfPng(view: DataView): Size | null {
  if (view.byteLength < 8 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null
  let size: Size | null = null
  let hasData = false
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const length = view.getUint32(at)
    const type = view.getUint32(at + 4)
    const next = at + 12 + length
    if (next > view.byteLength) return null
    if (size === null) {
      if (type !== 0x49484452 || length !== 13) return null
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    }
    if (type === 0x49444154) hasData = true
    if (type === 0x49454e44) return hasData && length === 0 ? size : null
    at = next
  }
  return null
}

/** ITU-T T.81, annex B: segments up to a scan, a frame header among them, and the end marker. */
function sizeOfJpeg(view: DataView): Size | null {
  const end = view.byteLength
  if (end < 4 || view.getUint16(0) !== 0xffd8) return null
  let size: Size | null = null
  for (let at = 2; at + 4 <= end; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > end) return null
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && length >= 7) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    if (marker === 0xda) return size && endsAsJpeg(view, at + 2 + length) ? size : null
    at += 2 + length
  }
  return null
}

/** Some programs write a little behind the end. */
function endsAsJpeg(view: DataView, from: number): boolean {
  const lowest = Math.max(from, view.byteLength - 1024)
  for (let at = view.byteLength - 2; at >= lowest; at--) if (view.getUint16(at) === 0xffd9) return true
  return false
}

/** https://developers.google.com/speed/webp/docs/riff_container: chunks of even length within the file, pixels among them. */
function sizeOfWebp(view: DataView): Size | null {
  const isWebp = view.byteLength >= 20 && view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250
  const end = isWebp ? view.getUint32(4, true) + 8 : 0
  if (!isWebp || end > view.byteLength) return null
  let size: Size | null = null
  let hasPixels = false
  for (let at = 12; at + 8 <= end; ) {
    const type = view.getUint32(at)
    const length = view.getUint32(at + 4, true)
    const data = at + 8
    if (data + length > end) return null
    const read = webpSizes[type]
    if (read && length >= 10) size ??= read(view, data)
    if (type === vp8 || type === vp8l || type === animationFrame) hasPixels = true
    at = data + length + (length % 2)
  }
  return hasPixels ? size : null
}

const [vp8, vp8l, vp8x, animationFrame] = [0x56503820, 0x5650384c, 0x56503858, 0x414e4d46] as const

const webpSizes: Record<number, (view: DataView, at: number) => Size | null> = {
  [vp8]: (view, at) =>
    view.getUint16(at + 3) === 0x9d01 && view.getUint8(at + 5) === 0x2a
      ? { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
      : null,
  [vp8l]: (view, at) => {
    const bits = view.getUint32(at + 1, true)
    return view.getUint8(at) === 0x2f
      ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
      : null
  },
  [vp8x]: (view, at) => ({
    width: (view.getUint32(at + 4, true) & 0xffffff) + 1,
    height: (view.getUint32(at + 6, true) >>> 8) + 1,
  }),
}

/** A whole image as a request holds it. */
export type ScreenImage = { mime: ScreenType; bytes: Buffer }

/** Characters of a screenshot in a request, about as many as its body may have. */
export const maxScreenshotLength = 8_000_000

/**
 * The image of a data URL or of base64. Its type is that of its bytes, whatever the URL says. Throws an `AppError`: 400 for
 * what is no whole PNG, JPEG or WebP, 413 for one that is too large.
 */
export function readScreenshot(text: string): ScreenImage {
  const isUrl = /^data:/i.test(text)
  const comma = isUrl ? text.slice(0, maxPrefix).indexOf(',') : -1
  if (isUrl && !/^data:image\/[a-z+.-]{1,20};base64,/i.test(text.slice(0, comma + 1)))
    throw invalid('screenshot: must be base64, or a data URL of an image in base64.')
  // Programs that write base64 break its lines.
  const data = text.slice(comma + 1).replace(/[\r\n\t ]+/g, '')
  const letters = data.replace(/={1,2}$/, '')
  if (letters === '' || /[^A-Za-z0-9+/]/.test(letters)) throw invalid('screenshot: is not valid base64.')
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > maxImageBytes)
    throw new AppError('too_large', 413, `screenshot: must be at most ${maxImageBytes / 1_000_000} MB.`)
  const mime = imageTypeOf(bytes)
  if (mime === null || mime === 'image/gif') throw invalid('screenshot: must be a PNG, JPEG or WebP.')
  const problem = imageProblem(bytes, mime)
  if (problem) throw invalid(`screenshot: ${problem}`)
  return { mime, bytes }
}

/** Characters within which a data URL has its comma. */
const maxPrefix = 64
