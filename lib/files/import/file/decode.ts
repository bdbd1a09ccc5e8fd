// Decodes a file's bytes to text. In order: a byte order mark, UTF-16 without one (every other byte is NUL), UTF-8, and
// Windows-1252 for invalid UTF-8, as in old notes from Windows; every byte is valid in it.

import { cleanText } from '../../../core/text/clean.ts'

export type Decoded = {
  /** Without byte order mark, NUL and lone surrogates; with the original line breaks. */
  text: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
}

const sample = 8192

/** The bytes as text, or `null` if they are not text. Never throws. */
export function decodeText(bytes: Uint8Array): Decoded | null {
  const encoding = markOf(bytes) ?? guessUtf16(bytes)
  if (encoding) return decodeAs(encoding, bytes)

  const utf8 = decodeUtf8(bytes)
  if (utf8 !== null) return looksBinary(bytes) ? null : { text: cleanText(utf8), encoding: 'utf-8' }
  if (bytes.subarray(0, sample).includes(0) || looksBinary(bytes)) return null
  return decodeAs('windows-1252', bytes)
}

function markOf(bytes: Uint8Array): Decoded['encoding'] | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

function guessUtf16(bytes: Uint8Array): Decoded['encoding'] | null {
  const start = bytes.subarray(0, sample)
  if (start.length < 4 || start.length % 2 === 1) return null
  const nuls = [0, 0]
  start.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2]!++
  })
  const [even = 0, odd = 0] = nuls
  const most = start.length * 0.35
  if (odd > most && even === 0) return 'utf-16le'
  if (even > most && odd === 0) return 'utf-16be'
  return null
}

// The decoder removes the byte order mark. It is not `fatal`: a stray byte at the end must not lose the rest.
function decodeAs(encoding: Decoded['encoding'], bytes: Uint8Array): Decoded {
  return { text: cleanText(new TextDecoder(encoding).decode(bytes)), encoding }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

// True if more than one byte in twenty does not occur in text (control characters other than white space, escape and a
// stray NUL).
function looksBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, sample)
  const odd = start.reduce((count, byte) => count + (isOdd(byte) ? 1 : 0), 0)
  return odd > 2 && odd * 20 > start.length
}

const isOdd = (byte: number) =>
  (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f

/** Decodes HTML: by its byte order mark, as UTF-8, or by the encoding that it names. `null`: it is not text. */
export function decodeHtml(bytes: Uint8Array): string | null {
  const decoded = decodeText(bytes)
  if (decoded && decoded.encoding !== 'windows-1252') return decoded.text

  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const label = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]
  try {
    return label ? cleanText(new TextDecoder(label).decode(bytes)) : (decoded?.text ?? null)
  } catch {
    return decoded?.text ?? null
  }
}
