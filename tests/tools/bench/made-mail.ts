import { createProse } from './prose.ts'

/** Whose mailbox it is. */
export const keeper = 'keeper@skerry.example'

export const perThread = 5
const people = 300

/**
 * Message `n`, which answers the one before it, five in a thread. `alone`: one of this subject instead, which answers
 * none and was sent now; `first`: how its text begins.
 */
export function makeMessage(n: number, { alone, first }: { alone?: string; first?: string } = {}): Buffer {
  const prose = createProse(n)
  const isAnswer = alone === undefined && n % perThread !== 0
  const subject = alone ?? `${isAnswer ? 'Re: ' : ''}Subject ${n - (n % perThread)}`
  const sent = alone === undefined ? new Date(Date.UTC(2020, 0, 1) + n * 3_600_000) : new Date()
  const lines = [
    `From: Person ${n % people} <person${n % people}@example.org>`,
    `To: Keeper <${keeper}>`,
    `Subject: ${subject}`,
    `Date: ${sent.toUTCString()}`,
    `Message-ID: <${alone?.replaceAll(' ', '.') ?? n}@example.org>`,
    ...(isAnswer ? [`In-Reply-To: <${n - 1}@example.org>`] : []),
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...(first ? [`${first}\r\n`] : []),
    ...Array.from({ length: 3 + prose.below(5) }, () => `${prose.words(30).join(' ')}\r\n`),
  ]
  return Buffer.from(lines.join('\r\n'))
}
