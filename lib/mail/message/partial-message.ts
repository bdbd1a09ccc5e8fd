// A message that is too large to be taken whole: its headers and one text, put together as a message of its own, so that
// one reader reads both kinds.

import { headerBytes } from '../../import/mail/read-headers.ts'

export type TextPart = { media_type: string; charset: string | null; encoding: string }

/** `part` null: it has no text. What a server says of a part gets no line of its own in the headers. */
export function partialMessage(headers: Uint8Array, part: TextPart | null, body: Uint8Array): Uint8Array {
  const text = Buffer.from(headers.subarray(0, headerBytes)).toString('latin1')
  const kept = withoutContent(text.split(/\r?\n/))
  const described = part
    ? [
        `Content-Type: ${token(part.media_type)}${part.charset ? `; charset="${token(part.charset)}"` : ''}`,
        `Content-Transfer-Encoding: ${token(part.encoding)}`,
      ]
    : []
  const head = [...kept, ...described, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

/** Header lines but those that describe the content, which is another one here. */
function withoutContent(lines: readonly string[]): string[] {
  const kept: string[] = []
  let dropping = false
  for (const line of lines) {
    if (line === '') break
    if (!/^[ \t]/.test(line)) dropping = /^content-/i.test(line)
    if (!dropping) kept.push(line)
  }
  return kept
}

const token = (text: string): string => text.replace(/[^\w!#$&+./^-]/g, '').slice(0, 100)
