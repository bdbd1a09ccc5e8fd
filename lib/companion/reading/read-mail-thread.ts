import type { MailThreadRead, MailThreadRequest, ReadMail } from '../../ai/agent/services.ts'
import type { MailAttachmentText } from '../../contract/mail.ts'
import { notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createMailMessagesRepo, type MailMessageRow } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../db/repos/mail_threads.ts'
import { cutLines } from './cut-lines.ts'
import { factsOf } from './search-mail.ts'

/** Characters of text that one read gives. */
const maxCharacters = 24_000
/** Messages of a thread that can be read: the latest. */
const maxMessages = 500

/** The text of an attachment of a message, counted from 1. */
export type AttachmentTextOf = (wanted: {
  space_id: string
  message_id: string
  number: number
}) => Promise<MailAttachmentText>

type ReadMailDeps = { database: Queryable; attachmentText: AttachmentTextOf }

/** The messages of a thread from one on, oldest first, as many as fit. Throws a 404 `AppError`, for an attachment as `MailAttachments.text`. */
export async function readMailThread(
  { database: db, attachmentText }: ReadMailDeps,
  request: MailThreadRequest,
): Promise<MailThreadRead> {
  const thread = await createMailThreadsRepo(db).find(request.id, request.space_id)
  if (!thread) throw notFound('mail thread', request.id)
  const rows = await createMailMessagesRepo(db).listOfThread(thread.id, maxMessages)
  const messages: ReadMail[] = []
  const { id, subject } = thread
  const read = { id, subject, total: rows.length, messages }
  if (request.attachment !== undefined) {
    const row = rows[request.message - 1]
    if (!row) throw notFound('message', `${request.id}/${request.message}`)
    return { ...read, ...(await readAttachment(attachmentText, row, request)) }
  }
  let left = maxCharacters

  for (let number = request.message; number <= rows.length; number++) {
    const row = rows[number - 1]!
    const line = number === request.message ? request.line : 1
    if (left <= 0) return { ...read, next: { message: number, line } }
    const { cut, ...lines } = cutLines(row.text, { from: line, max: left })
    messages.push({ ...factsOf(row), number, ...lines })
    if (cut) return { ...read, next: { message: number, line: lines.to_line + 1 } }
    left -= lines.blocks.reduce((length, block) => length + block.length, 200)
  }
  return { ...read, next: null }
}

async function readAttachment(
  textOf: AttachmentTextOf,
  row: MailMessageRow,
  { space_id, message, line, attachment: number = 1 }: MailThreadRequest,
): Promise<Pick<MailThreadRead, 'attachment' | 'next'>> {
  const { name, text, problem } = await textOf({ space_id, message_id: row.id, number })
  const { cut, ...lines } = cutLines(text, { from: line, max: maxCharacters })
  return {
    attachment: { ...factsOf(row), name, problem, ...lines },
    next: cut ? { message, line: lines.to_line + 1 } : null,
  }
}
