import { createHash } from 'node:crypto'
import { extensionOf } from '../file-name.ts'
import type { GatheredMessages } from '../mail/gather-messages.ts'
import type { MailHeaders } from '../mail/read-headers.ts'
import type { Parser } from '../parse/parser.ts'
import type { PlainFile } from '../source-file.ts'

/** A conversation as a page at `path`, and its attachments as documents in a folder beside it. */
export async function* expandConversation(
  parser: Parser,
  path: string,
  { messages, warnings: before }: GatheredMessages,
): AsyncGenerator<PlainFile> {
  const folder = path.slice(0, path.length - extensionOf(path).length)
  const { markdown, attachments, ...read } = await parser.readMail(messages, folder)
  const warnings = [...before, ...read.warnings]
  yield { path, bytes: new TextEncoder().encode(markdown), readAs: '.md', origin: 'mail', warnings }
  for (const { name, bytes } of attachments) {
    yield { path: `${folder}/${name}`, bytes, origin: 'mail', attached: true }
  }
}

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
