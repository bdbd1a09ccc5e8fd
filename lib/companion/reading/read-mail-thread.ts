import type { MailThreadRead, MailThreadRequest, ReadMail } from '../../ai/agent/mail-services.ts'
import type { Queryable } from '../../db/pool.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../db/repos/mail_threads.ts'
import { notFound } from '../../errors.ts'
import { cutLines } from './cut-lines.ts'
import { factsOf } from './search-mail.ts'

/** Characters of text that one read gives. */
const maxCharacters = 24_000
/** Messages of a thread that can be read: the latest. */
const maxMessages = 500

/** The messages of a thread from one on, oldest first, as many as fit. Throws a 404 `AppError`. */
export async function readMailThread(db: Queryable, request: MailThreadRequest): Promise<MailThreadRead> {
  const thread = await createMailThreadsRepo(db).find(request.id, request.space_id)
  if (!thread) throw notFound('mail thread', request.id)
  const rows = await createMailMessagesRepo(db).listOfThread(thread.id, maxMessages)
  const messages: ReadMail[] = []
  const { id, subject } = thread
  const read = { id, subject, total: rows.length, messages }
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
