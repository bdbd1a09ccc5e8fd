import { createHash } from 'node:crypto'
import type { MailHeaders } from './read-headers.ts'

/** A name for a conversation that stays the same when answers come: by its subject, and by the message it began with. */
export function conversationName({ messageId, references, subject, date }: MailHeaders): string {
  const began = references[0] ?? messageId ?? `${subject}\n${date}`
  const plain = subject
    .replace(/[\p{Cc}[\]|#^<>:"?*/\\]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
  const short = [...plain].slice(0, 60).join('').trim() || 'No subject'
  return `${short} ${createHash('sha256').update(began).digest('hex').slice(0, 8)}.eml`
}
