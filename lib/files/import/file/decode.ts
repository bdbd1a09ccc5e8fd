// Decodes a file's bytes to text. In order: a byte order mark, UTF-16 without one (every other byte is NUL), UTF-8, UTF-8
// with a few broken bytes, and the encoding that a detector takes it for.

import { cleanText } from '../../../core/text/clean.ts'
import { detectEncoding, isIso2022Jp } from '../../vault/detect-encoding.ts'

export type Decoded = {
  /** Without byte order mark, NUL and lone surrogates; with the original line breaks. */
  text: string
  /** A label of `TextDecoder`. */
  encoding: string
  /** The bytes do not prove the encoding, or some are broken: nobody gets them back from the text. */
  guessed: boolean
}

const sample = 8192

/** The bytes as text, or `null` if they are not text. Never throws. */
export function decodeText(bytes: Uint8Array): Decoded | null {
  const marked = markOf(bytes)
  const encoding = marked ?? guessUtf16(bytes)
  if (encoding) return decodeAs(encoding, bytes, marked === null)
  if (isIso2022Jp(bytes)) return decodeAs('iso-2022-jp', bytes, true)

  const utf8 = decodeUtf8(bytes)
  if (utf8 !== null)
    return looksBinary(bytes) ? null : { text: cleanText(utf8), encoding: 'utf-8', guessed: false }
  if (bytes.subarray(0, sample).includes(0) || looksBinary(bytes)) return null
  const repaired = repairUtf8(bytes)
  if (repaired !== null) return { text: cleanText(repaired), encoding: 'utf-8', guessed: true }
  const detected = decodeAs(detectEncoding(bytes), bytes, true)
  const russian = detected.encoding === 'koi8-u' ? decodeAs('koi8-r', bytes, true) : null
  // The detector has no name for Russian alone; both read the same letters, but for four.
  return russian?.text === detected.text ? russian : detected
}

/** The bytes as text in an encoding that the text itself names; `null` for an encoding that is unknown. */
function decodeNamed(label: string, bytes: Uint8Array): string | null {
  try {
    return cleanText(new TextDecoder(label).decode(bytes))
  } catch {
    return null
  }
}

const labels: Record<string, string> = {
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'iso-2022-jp': 'ISO-2022-JP',
  gbk: 'GBK',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
  'koi8-r': 'KOI8-R',
  'koi8-u': 'KOI8-U',
}

/** What an import says about a text that was read by a guess. */
export function encodingWarnings({ encoding, guessed }: Decoded): string[] {
  if (!guessed) return []
  if (encoding === 'utf-8') return ['some of its bytes are not UTF-8; each was read by itself']
  const name =
    labels[encoding] ??
    encoding.replace('windows', 'Windows').replace(/^(?:iso|ibm|utf)/, (part) => part.toUpperCase())
  return [`it is not UTF-8; read as ${name}`]
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

function guessUtf16(bytes: Uint8Array): string | null {
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
function decodeAs(encoding: string, bytes: Uint8Array, guessed: boolean): Decoded {
  return { text: cleanText(new TextDecoder(encoding).decode(bytes)), encoding, guessed }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * UTF-8 in which some bytes are broken, such as notes that several programs wrote to: a broken byte by itself is read as
 * Windows-1252, and the rest of a character that was cut becomes U+FFFD. `null` where there are as many broken bytes as
 * characters in UTF-8: then it is something else.
 */
function repairUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let [valid, broken, start] = [0, 0, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0]
  for (let at = start; at < bytes.length; ) {
    if (bytes[at]! < 0x80) {
      at++
      continue
    }
    const length = sequenceLength(bytes, at)
    if (length > 1) {
      valid++
      at += length
      continue
    }
    const end = at + Math.max(1, -length)
    broken++
    parts.push(decoder.decode(bytes.subarray(start, at)), readBroken(bytes.subarray(at, end)))
    at = end
    start = end
  }
  parts.push(decoder.decode(bytes.subarray(start)))
  return valid > broken ? parts.join('') : null
}

/** Length of the UTF-8 character at a place; minus the number of its bytes that are there where it is cut; 0 for none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  const length = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0
  if (length === 0 || lead > 0xf4) return 0
  let present = 1
  while (present < length && isContinuation(bytes, at, present)) present++
  return present === length ? length : present > 1 || at + present === bytes.length ? -present : 0
}

// The second byte's range excludes overlong forms and surrogates. https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27288
function isContinuation(bytes: Uint8Array, at: number, index: number): boolean {
  const byte = bytes[at + index] ?? 0
  const lead = bytes[at]!
  if (index === 1 && lead === 0xe0 && byte < 0xa0) return false
  if (index === 1 && lead === 0xed && byte > 0x9f) return false
  if (index === 1 && lead === 0xf0 && byte < 0x90) return false
  if (index === 1 && lead === 0xf4 && byte > 0x8f) return false
  return byte >= 0x80 && byte <= 0xbf
}

const western = new TextDecoder('windows-1252')

const readBroken = (bytes: Uint8Array) => (bytes.length === 1 ? western.decode(bytes) : '\uFFFD')

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
  if (decoded?.guessed === false) return decoded.text

  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const label = /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]
  const named = label && label.toLowerCase() !== 'utf-8' ? decodeNamed(label, bytes) : null
  return named ?? decoded?.text ?? null
}
