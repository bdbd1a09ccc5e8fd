// Messages as bytes become what is stored of them. Takes long on a hostile one: for a thread with limits.

import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { AddressObject, ParsedMail } from 'mailparser'
import type { MailAttachment, MailPerson } from '../../../contract/mail.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import { asItCame, messageBody } from '../../../files/import/mail/message-body.ts'
import {
  headerBytes,
  isAnswer,
  type MailHeaders,
  plainSubject,
  readHeaders,
} from '../../../files/import/mail/read-headers.ts'

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
  /** Markdown, cleaned. */
  text: string
  attachments: MailAttachment[]
  automated: boolean
  /** As it came, compressed. */
  original: Uint8Array
}

/** Null: it could not be read. */
export type ParseOutcome = ParsedMessage | null

const maxTextLength = 200_000

const maxPeople = 200

export const maxAttachments = 200

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
  const { simpleParser } = await import('mailparser')
  const mail = await simpleParser(Buffer.from(bytes), asItCame)
  const headers = readHeaders(bytes.subarray(0, headerBytes))
  const text = cleanBody(await messageBody(mail))
    .slice(0, maxTextLength)
    .toWellFormed()
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
    attachments: attachmentsOf(mail),
    automated: isAutomated(mail),
  }
  return { ...message, fingerprint: fingerprintOf(message), original: deflateSync(bytes) }
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
export const listedAttachments = ({ attachments }: ParsedMail) =>
  attachments.filter(({ related, filename }) => !related || filename).slice(0, maxAttachments)

const attachmentsOf = (mail: ParsedMail): MailAttachment[] =>
  listedAttachments(mail).map(({ filename, contentType, size }) =>
    toAttachment(filename ?? '', contentType, size),
  )

export const toAttachment = (name: string, mediaType: string, bytes: number): MailAttachment => ({
  name: cleanLine(name).slice(0, 200).toWellFormed() || 'attachment',
  media_type: cleanLine(mediaType).slice(0, 100).toWellFormed(),
  bytes,
})

/** As RFC 3834 has it, and as lists say of themselves. */
function isAutomated({ headers }: ParsedMail): boolean {
  const told = (name: string) => String(headers.get(name) ?? '').toLowerCase()
  const auto = told('auto-submitted')
  return (
    (auto !== '' && !auto.startsWith('no')) ||
    /^(?:bulk|list|junk)/.test(told('precedence')) ||
    headers.has('list')
  )
}

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

// What a message says, without what it quotes: the history under an answer, lines in `>`, the line that introduces
// them, and a signature. What is forwarded stays: it is what such a message says. Works on the Markdown of
// message-body.ts, line by line and looking no more than a few lines back.

/** Lines under "From:" in which "Subject:" is looked for. */
const maxHeaderLines = 8

/** Lines that a mail program breaks "On … wrote:" into. */
const maxIntroduction = 3

const original = /^\\?[-_]{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine)\s*[-_]{2,}/i

const signature = /^\\?-- ?$/

const fromLine = /^(?:\*\*)?(?:from|von|de|da|van|fra|från)\s?:/i

const subjectLine = /^(?:\*\*)?(?:subject|betreff|objet|asunto|oggetto|onderwerp|emne|ämne)\s?:/i

const forwarded = /(?:forwarded|weitergeleitete|transféré|reenviado|inoltrato|doorgestuurd)/i

const separator = /^\\?[-_*]{2,}/

/** Never empty where `markdown` is not: a message that only quotes is its quotes. */
export function cleanBody(markdown: string): string {
  const lines = markdown.split('\n')
  const kept = withoutQuotes(lines.slice(0, endOf(lines)))
  const said = tidy(kept)
  return said === '' ? tidy(lines) : said
}

/** Where the history or the signature begins. */
function endOf(lines: readonly string[]): number {
  for (const [at, line] of lines.entries()) {
    const plain = line.trim()
    if (original.test(plain) || signature.test(plain)) return at
    if (fromLine.test(plain) && isHistory(lines, at)) return at
  }
  return lines.length
}

/** The headers that a mail program puts above what is answered; above what is forwarded, it says so. */
function isHistory(lines: readonly string[], at: number): boolean {
  const headers = lines.slice(at + 1, at + maxHeaderLines)
  if (!headers.some((line) => subjectLine.test(line.trim()))) return false
  const before = lines.slice(Math.max(0, at - 3), at)
  return !before.some((line) => forwarded.test(line) && separator.test(line.trim()))
}

function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) {
    if (!line.startsWith('>')) {
      kept.push(line)
      continue
    }
    dropIntroduction(kept)
    // What stood on both sides of it stays apart.
    kept.push('')
  }
  return kept
}

/** Drops "On Tuesday, Anna <anna@example.org> wrote:" from the end. */
function dropIntroduction(kept: string[]): void {
  while (kept.length > 0 && kept.at(-1)!.trim() === '') kept.pop()
  const last = kept.at(-1)?.trim() ?? ''
  if (!last.endsWith(':') || last.length > 400) return
  for (let lines = 1; lines <= maxIntroduction && lines <= kept.length; lines++) {
    const text = kept.slice(-lines).join(' ')
    const begins = lines === kept.length || kept.at(-lines - 1)!.trim() === ''
    if (begins && /\d/.test(text) && /[@,.:]/.test(text)) {
      kept.splice(kept.length - lines, lines)
      return
    }
  }
}

const tidy = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
