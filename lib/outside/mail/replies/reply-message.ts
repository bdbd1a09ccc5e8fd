// A reply as the bytes of a message, from what was approved and nothing else: the same row always gives the same bytes.
// Every line of a header is ASCII that cannot end it: addresses and ids are checked where they enter (entities/reply.ts),
// and the subject is encoded unless it is plain.

import type { ReplyRow } from '../../../db/repos/replies.ts'

/** By which the reply is found in a folder. */
export function replyMessageId({ id, from_address }: Pick<ReplyRow, 'id' | 'from_address'>): string {
  return `<${id}@${from_address.split('@')[1] || 'void.invalid'}>`
}

/** `unsent`: for a file, which some programs then open to be edited. */
export function renderReply(reply: ReplyRow, { unsent = false } = {}): Buffer {
  const { from_address, to_addresses, cc_addresses, in_reply_to, reference_ids, body, quoted } = reply
  const headers: [string, string][] = [
    ['Date', new Date(reply.created_at).toUTCString().replace('GMT', '+0000')],
    ['From', from_address],
    ['To', folded(to_addresses.split(/\s*,\s*/), ',')],
    ['Cc', folded(cc_addresses.split(/\s*,\s*/), ',')],
    ['Subject', encodeSubject(reply.subject)],
    ['Message-ID', replyMessageId(reply)],
    ['In-Reply-To', in_reply_to],
    ['References', folded(reference_ids.split(' '), '')],
    ['X-Unsent', unsent ? '1' : ''],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Transfer-Encoding', 'quoted-printable'],
  ]
  const head = headers.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  const text = quoted === '' ? body : `${body.trimEnd()}\n\n${quoted}`
  return Buffer.from([...head, '', quotedPrintable(text), ''].join('\r\n'), 'latin1')
}

/** One on a line: no line gets too long. */
const folded = (values: readonly string[], separator: string): string => values.join(`${separator}\r\n `)

const maxPlainSubject = 60
/** Bytes in an encoded word, which may have 75 characters. */
const maxWordBytes = 42

/** RFC 2047. */
function encodeSubject(subject: string): string {
  if (/^[\x20-\x7e]*$/.test(subject) && subject.length <= maxPlainSubject && !subject.includes('=?')) {
    return subject
  }
  const words: string[] = []
  let word = ''
  for (const character of subject) {
    if (Buffer.byteLength(word + character) > maxWordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`).join('\r\n ')
}

/** Characters of an encoded line, without the `=` at its end. */
const maxLine = 75

/** RFC 2045. */
function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => wrap([...Buffer.from(line)].map(encodeByte)))
    .join('\r\n')
}

/** Spaces at the end of a line are lost on the way. */
function encodeByte(byte: number, index: number, line: readonly number[]): string {
  const isBlank = (byte === 32 || byte === 9) && index < line.length - 1
  if (isBlank || (byte >= 33 && byte <= 126 && byte !== 61)) return String.fromCharCode(byte)
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

function wrap(encoded: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const one of encoded) {
    if (line.length + one.length > maxLine) {
      lines.push(`${line}=`)
      line = ''
    }
    line += one
  }
  return [...lines, line].join('\r\n')
}
