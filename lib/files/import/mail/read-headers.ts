// The few headers that define conversations, read without parsing the message.

export type MailHeaders = {
  messageId: string | null
  /** Messages that it answers, oldest first. */
  references: string[]
  subject: string
  /** Milliseconds; 0 if it has no date. */
  date: number
}

/** Bytes at the start of a message that are searched for headers. */
export const headerBytes = 64 * 1024

/** Maximum characters of a header value; genuine ones are shorter. */
const maxDateLength = 200

const maxSubjectLength = 4000

/** Never throws: missing or broken values are empty. */
export function readHeaders(start: Uint8Array): MailHeaders {
  const headers = headersOf(start)
  const idsIn = (name: string) => headers.get(name)?.match(/<[^<>\s]+>/g) ?? []
  const time = Date.parse(
    headers
      .get('date')
      ?.slice(0, maxDateLength)
      .replace(/\(.*\)\s*$/, '') ?? '',
  )
  return {
    messageId: idsIn('message-id')[0] ?? null,
    references: [...idsIn('references'), ...idsIn('in-reply-to')].slice(0, 200),
    subject: decodeWords(headers.get('subject')?.slice(0, maxSubjectLength) ?? ''),
    date: Number.isFinite(time) ? time : 0,
  }
}

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

/** The first of each name, in lower case. */
function headersOf(start: Uint8Array): Map<string, string> {
  const text = new TextDecoder('latin1').decode(start.subarray(0, headerBytes))
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  const unfolded = text.slice(0, end).replace(/\r?\n[ \t]+/g, ' ')
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
