// Whether bytes are the picture that they are said to be: by its structure, not by its name. Nothing is decoded.

import { maxImageBytes } from '../../../contract/companion/glance.ts'

/** Pixels of a side, and altogether. */
const maxSide = 16_384
const maxPixels = 80_000_000

/** Why it is not taken; `null`: it is a whole PNG or JPEG of a size that a screen has. */
export function imageProblem(bytes: Uint8Array, mediaType: 'image/png' | 'image/jpeg'): string | null {
  if (bytes.length > maxImageBytes) return `The picture is larger than ${maxImageBytes / 1_000_000} MB.`
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = mediaType === 'image/png' ? sizeOfPng(view) : sizeOfJpeg(view)
  if (!size) return `The picture is not a whole ${mediaType === 'image/png' ? 'PNG' : 'JPEG'}.`
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
