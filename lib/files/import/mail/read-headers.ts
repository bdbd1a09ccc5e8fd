// The few headers that define conversations, read without parsing the message.

import { decodeText } from '../file/decode.ts'

export type MailHeaders = {
  messageId: string | null
  /** Messages that it answers, oldest first. */
  references: string[]
  subject: string
  /** Milliseconds; 0 if it has no date. */
  date: number
  /** Whether a program or a list sent it (RFC 2919, 2369 and 3834, and the older Precedence). */
  automated: boolean
}

/** Bytes at the start of a message that are searched for headers. */
export const headerBytes = 64 * 1024

/** Maximum characters of a header value; genuine ones are shorter. */
const maxDateLength = 200

const maxSubjectLength = 4000

/** Never throws: missing or broken values are empty. */
export function readHeaders(start: Uint8Array): MailHeaders {
  const headers = headersOf(start)
  const own = addressesIn(headers)
  const idsIn = (name: string) =>
    answeredIds(headers.get(name) ?? '').filter((id) => !own.has(id.toLowerCase()))
  const time = Date.parse(
    headers
      .get('date')
      ?.slice(0, maxDateLength)
      .replace(/\(.*\)\s*$/, '') ?? '',
  )
  return {
    messageId: /<[^<>\s]+>/.exec(headers.get('message-id') ?? '')?.[0] ?? null,
    references: [...idsIn('references'), ...idsIn('in-reply-to')].slice(0, 200),
    subject: decodeWords(headers.get('subject')?.slice(0, maxSubjectLength) ?? ''),
    date: Number.isFinite(time) ? time : 0,
    automated: isAutomated(headers),
  }
}

function isAutomated(headers: ReadonlyMap<string, string>): boolean {
  const auto = headers.get('auto-submitted')?.trim().toLowerCase() ?? 'no'
  if (!/^no\b/.test(auto) || /^(?:bulk|list|junk|auto)/i.test(headers.get('precedence') ?? '')) return true
  // RFC 5321, 4.5.5: what must not be answered has an empty return path.
  return headers.get('return-path') === '<>' || automatedHeaders.some((name) => headers.has(name))
}

const automatedHeaders = [
  'list-id',
  'list-unsubscribe',
  'list-post',
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
] as const

/**
 * The ids in a header that names answered messages: `<…@…>` each. Old programs write phrases between them, with the address
 * of who wrote that message: “Message from Ann <ann@example.org> of "Mon, 3 May 1999 10:00:00 +0200" <id@example.org>”.
 * What stands behind a phrase is an id where the phrase gives a time.
 */
function answeredIds(value: string): string[] {
  const ids: string[] = []
  let end = 0
  for (const { index, 0: id } of value.matchAll(/<[^<>\s@]{1,400}@[^<>\s@]{1,400}>/g)) {
    const phrase = value
      .slice(end, index)
      .replace(/[\s,;]+/g, ' ')
      .trim()
    end = index + id.length
    if (phrase === '' || phrase.endsWith('>') || /\d{1,2}:\d{2}|(?:19|20)\d\d/.test(phrase)) ids.push(id)
  }
  return ids
}

const addressHeaders = ['from', 'sender', 'reply-to', 'to', 'cc'] as const

/** Who wrote it and to whom, in angle brackets, as ids are: no message has such an id. */
function addressesIn(headers: ReadonlyMap<string, string>): Set<string> {
  const addresses = new Set<string>()
  for (const name of addressHeaders)
    for (const [address] of headers
      .get(name)
      ?.slice(0, maxAddresses)
      .matchAll(/[^\s<>,;:"()@]{1,200}@[^\s<>,;:"()@]{1,200}/g) ?? [])
      addresses.add(`<${address.toLowerCase()}>`)
  return addresses
}

const maxAddresses = 20_000

const statusFlags: readonly (readonly [header: string, letter: string, flag: string])[] = [
  ['status', 'R', '\\Seen'],
  ['x-status', 'A', '\\Answered'],
  ['x-status', 'F', '\\Flagged'],
  ['x-status', 'T', '\\Draft'],
]

/** The flags that mail programs write into a mailbox. Without any, a message is unread. */
export function readStatus(start: Uint8Array): string[] {
  const headers = headersOf(start)
  if (!headers.has('status')) return ['\\Seen']
  return statusFlags
    .filter(([header, letter]) => headers.get(header)?.slice(0, 20).toUpperCase().includes(letter))
    .map(([, , flag]) => flag)
}

/** The header lines at the beginning of a message, whatever encoding they are in. */
export function decodeHeaders(bytes: Uint8Array): string {
  const head = bytes.subarray(0, endOfHeaders(bytes))
  return decodeText(head)?.text ?? new TextDecoder('latin1').decode(head)
}

/** Where the headers of a message end, without the blank line. */
export function endOfHeaders(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== newline) continue
    if (bytes[at + 1] === newline) return at + 1
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === newline) return at + 1
  }
  return bytes.length
}

const newline = 0x0a
const carriageReturn = 0x0d

/** The first of each name, in lower case. */
function headersOf(start: Uint8Array): Map<string, string> {
  const text = decodeHeaders(start.subarray(0, headerBytes))
  const unfolded = text.replace(/\r?\n[ \t]+/g, ' ')
  const headers = new Map<string, string>()
  for (const line of unfolded.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

// RFC 2047: `=?utf-8?B?…?=` and `=?utf-8?Q?…?=`.
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(
      /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi,
      (whole, charset: string, kind: string, data: string) => {
        try {
          const bytes =
            kind.toLowerCase() === 'b'
              ? Buffer.from(data, 'base64')
              : Buffer.from(
                  data
                    .replaceAll('_', ' ')
                    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
                      String.fromCharCode(Number.parseInt(hex, 16)),
                    ),
                  'latin1',
                )
          return new TextDecoder(charset).decode(bytes)
        } catch {
          return whole
        }
      },
    )
}

// White space matches at one place after each part, so that a run of it matches in one way only.
const answerMark = /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)\s*(?:\[\d+\]\s*)?:\s*)+/i

/** True if a subject begins with `Re:` or its equivalent in a few languages. */
export const isAnswer = (subject: string): boolean => answerMark.test(subject)

/** The subject without `Re:` and its equivalents in a few languages, for comparison. */
export const plainSubject = (subject: string): string =>
  subject.replace(answerMark, '').replace(/\s+/g, ' ').trim().toLowerCase()
