// A note as bytes on disk and as the text of a page. Pages have no byte order mark and plain line breaks; a file keeps its
// own: a new text is written into the bytes of the old one, which stay as they were wherever the text did.

import { createHash } from 'node:crypto'
import { maxBodyLength } from '../../contract/entities/fields.ts'
import { cleanText, splitLines } from '../../core/text/clean.ts'
import { align } from '../../core/text/diff/align.ts'

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

export const emptyText = hashOf('')

export type NoteText = { text: string; problem: null } | { text: null; problem: string }

const mark = '\uFEFF'
/** UTF-8 takes at most three bytes for what a string counts as one. */
export const maxNoteBytes = 3 * maxBodyLength + 3

/** The text of a file, or why it is no page, as the rest of a sentence about it. */
export function readNoteText(bytes: Uint8Array): NoteText {
  const decoded = decode(bytes)
  if (decoded === null) return { text: null, problem: 'is not UTF-8' }
  if (cleanText(decoded) !== decoded) return { text: null, problem: 'holds a NUL character' }
  const text = toText(decoded)
  return text.length > maxBodyLength
    ? { text: null, problem: `is longer than ${maxBodyLength.toLocaleString('en-US')} characters` }
    : { text, problem: null }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const toText = (decoded: string) => withoutMark(decoded).replace(/\r\n?/g, '\n')

const withoutMark = (decoded: string) => (decoded.startsWith(mark) ? decoded.slice(1) : decoded)

/**
 * The bytes of `text` in the manner of a file: its byte order mark, and the line breaks of lines that stay; a
 * changed line keeps its own, new lines get those of the lines about them. Null: the file is none that a text can be written into.
 */
export function writeNoteText(bytes: Uint8Array, text: string): Uint8Array | null {
  const old = readNoteText(bytes)
  const decoded = decode(bytes)
  if (old.text === null || decoded === null) return null
  const ownLines = splitAnyLines(withoutMark(decoded))
  const [before, after] = [splitLines(old.text), splitLines(text)]
  const written: string[] = []
  let from = 0
  const ends = ownLines.map(endOf)
  const usual = ends.find((end) => end !== '') ?? '\n'
  for (const change of [...align(before, after), null]) {
    const until = change?.before.start ?? before.length
    written.push(...ownLines.slice(from, until))
    if (!change) break
    const { start, end } = change.before
    const near = ends[start - 1] || ends[start] || usual
    const endAt = (index: number) => (start < end && ends[Math.min(start + index, end - 1)]) || near
    const lines = after.slice(change.after.start, change.after.end)
    written.push(...lines.map((line, index) => line.replace(/\n$/, endAt(index))))
    from = change.before.end
  }
  const next = Buffer.from(`${decoded.startsWith(mark) ? mark : ''}${written.join('')}`)
  return readNoteText(next).text === text ? next : null
}

/** Each with its line break, of whichever kind. */
function splitAnyLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push(text.slice(start, index + end.length))
    start = index + end.length
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

const endOf = (line: string) => /(?:\r\n|\r|\n)$/.exec(line)?.[0] ?? ''
