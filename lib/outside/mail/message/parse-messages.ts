// Messages as bytes become what is stored of them. Takes long on a hostile one: for a thread with limits.

import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { AddressObject, ParsedMail } from 'mailparser'
import type { MailAttachment, MailFold, MailPerson } from '../../../contract/mail.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import { type MessageBody, messageBody } from '../../../files/import/mail/message-body.ts'
import {
  headerBytes,
  isAnswer,
  type MailHeaders,
  plainSubject,
  readHeaders,
} from '../../../files/import/mail/read-headers.ts'
import { readMail } from '../../../files/import/mail/read-mail.ts'

export type ParsedMessage = {
  /** SHA-256, in base64, of what makes it this message wherever it lies. */
  fingerprint: string
  message_id: string | null
  /** Messages that it answers. */
  references: string[]
  subject: string
  /** The subject without `Re:` and its like; at most 500 characters. */
  base_subject: string
  /** Whether the subject says that it answers. */
  is_answer: boolean
  /** Milliseconds; `null` when it names no time. */
  sent_at: number | null
  from: MailPerson
  to: MailPerson[]
  cc: MailPerson[]
  /** Markdown, cleaned, whole. */
  text: string
  /** Lines of the text that are not the sender's own words. */
  folds: MailFold[]
  attachments: MailAttachment[]
  automated: boolean
  /** As it came, compressed. */
  original: Uint8Array
}

/** Null: it could not be read. */
export type ParseOutcome = ParsedMessage | null

const maxTextLength = 1_000_000

const maxPeople = 200

export const maxAttachments = 200

/** Revision of this reading: messages that were stored by an earlier one are read again. */
export const readingRevision = 2

const maxIdLength = 500

/** In the order given. Never throws for what a message holds. */
export async function parseMessages({
  messages,
}: {
  messages: readonly Uint8Array[]
}): Promise<ParseOutcome[]> {
  const parsed: ParseOutcome[] = []
  for (const bytes of messages) parsed.push(await parseMessage(bytes).catch(() => null))
  return parsed
}

async function parseMessage(bytes: Uint8Array): Promise<ParsedMessage> {
  const mail = await readMail(bytes)
  const headers = readHeaders(bytes.subarray(0, headerBytes))
  const { text, folds } = cutBody(await messageBody(mail))
  const subject = cleanLine(mail.subject ?? headers.subject)
    .slice(0, 500)
    .toWellFormed()
  const [from = { name: '', address: '' }] = peopleOf(mail.from)
  const message = {
    ...idsOf(headers),
    subject,
    base_subject: plainSubject(subject),
    is_answer: isAnswer(subject),
    sent_at: headers.date === 0 ? null : headers.date,
    from,
    to: peopleOf(mail.to),
    cc: peopleOf(mail.cc),
    text,
    folds,
    attachments: attachmentsOf(mail),
    automated: headers.automated || mail.attachments.some(isCalendarAnswer),
  }
  return { ...message, fingerprint: fingerprintOf(message), original: deflateSync(bytes) }
}

function cutBody({ text, folds }: MessageBody): MessageBody {
  if (text.length <= maxTextLength) return { text, folds }
  const cut = text.slice(0, maxTextLength).toWellFormed()
  const lines = cut.split('\n').length
  const within = folds.filter(({ from_line }) => from_line <= lines)
  return { text: cut, folds: within.map((fold) => ({ ...fold, to_line: Math.min(fold.to_line, lines) })) }
}

function idsOf({ messageId, references }: MailHeaders): Pick<ParsedMessage, 'message_id' | 'references'> {
  const usable = (id: string) => id.length <= maxIdLength
  const message_id = messageId && usable(messageId) ? cleanText(messageId) : null
  const answered = new Set(references.filter(usable).map(cleanText))
  if (message_id) answered.delete(message_id)
  return { message_id, references: [...answered] }
}

function peopleOf(given: AddressObject | AddressObject[] | undefined): MailPerson[] {
  const people = [given ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .flatMap((one) => (one.group ? one.group : [one]))
  return people.slice(0, maxPeople).map(({ name, address }) => ({
    name: cleanLine(name ?? '')
      .slice(0, 200)
      .toWellFormed(),
    address: cleanLine(address ?? '')
      .slice(0, 320)
      .toWellFormed(),
  }))
}

/** Those that are listed, by their numbers; what a text shows in itself is not. */
export const listedAttachments = ({ attachments }: Pick<ParsedMail, 'attachments'>) =>
  attachments.filter(({ related, filename }) => !related || filename).slice(0, maxAttachments)

const attachmentsOf = (mail: Pick<ParsedMail, 'attachments'>): MailAttachment[] =>
  listedAttachments(mail).map(({ filename, contentType, size }) =>
    toAttachment(filename ?? '', contentType, size),
  )

export const toAttachment = (name: string, mediaType: string, bytes: number): MailAttachment => ({
  name: cleanLine(name).slice(0, 200).toWellFormed() || 'attachment',
  media_type: cleanLine(mediaType).slice(0, 100).toWellFormed(),
  bytes,
})

/** What a calendar sends when somebody accepts or declines. */
const isCalendarAnswer = ({ contentType, headers }: ParsedMail['attachments'][number]): boolean =>
  contentType === 'text/calendar' &&
  /method=["']?(?:reply|counter)/i.test(JSON.stringify(headers.get('content-type') ?? ''))

function fingerprintOf({
  message_id,
  from,
  sent_at,
  subject,
  text,
}: Pick<ParsedMessage, 'message_id' | 'from' | 'sent_at' | 'subject' | 'text'>): string {
  const what = JSON.stringify([message_id, from.address.toLowerCase(), sent_at, subject, text])
  return createHash('sha256').update(what).digest('base64')
}
