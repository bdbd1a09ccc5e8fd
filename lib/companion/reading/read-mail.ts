// Mail as tools find and read it.

import type {
  FoundMail,
  MailFacts,
  MailSearch,
  MailThreadRead,
  MailThreadRequest,
  ReadMail,
} from '../../ai/agent/services.ts'
import { kind } from '../../contract/entities/mail_message.ts'
import type { MailAttachmentText } from '../../contract/mail.ts'
import { notFound } from '../../core/errors.ts'
import { ownWords } from '../../core/text/folds.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createMailMessagesRepo, type MailMessageRow } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../db/repos/mail_threads.ts'
import type { Search } from '../../search/search.ts'
import { cutLines } from './read-entity.ts'

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
    const { cut, ...lines } = cutLines(foldedText(row, { number, from: line }), { from: line, max: left })
    messages.push({ ...factsOf(row), number, ...lines })
    if (cut) return { ...read, next: { message: number, line: lines.to_line + 1 } }
    left -= lines.blocks.reduce((length, block) => length + block.length, 200)
  }
  return { ...read, next: null }
}

/**
 * The text with what it quotes and signs with left out, each run said in its first line; the other lines have their
 * numbers. From a line within such a run on, nothing is left out.
 */
function foldedText(
  { text, folds }: Pick<MailMessageRow, 'text' | 'folds'>,
  { number, from }: { number: number; from: number },
): string {
  const lines = text.split('\n')
  for (const { kind, from_line, to_line } of folds) {
    if (kind === 'forward' || (from > 1 && from >= from_line && from <= to_line)) continue
    const note = `[${foldNames[kind]}: message ${number}, lines ${from_line}–${to_line}]`
    for (let line = from_line; line <= Math.min(to_line, lines.length); line++)
      lines[line - 1] = line === from_line && kind !== 'links' ? note : ''
  }
  return lines.join('\n')
}

const foldNames = {
  quote: 'quoted text',
  signature: 'signature',
  links: 'links',
  forward: 'forwarded',
} as const

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

const maxFound = 8
/** Messages that filters leave for the search: the latest. */
const maxFiltered = 20_000
/** Characters shown of a message that was not found by its words. */
const beginning = 600

/** Messages of a Space: by their words, the best first, or else the latest; at most eight passages. */
export async function searchMail(
  { database, search }: { database: Database; search: Pick<Search, 'query'> },
  { space_id, q = '', ...asked }: MailSearch,
): Promise<FoundMail[]> {
  const repo = createMailMessagesRepo(database)
  const {
    from = null,
    to = null,
    subject = null,
    after = null,
    before = null,
    has_attachment = false,
  } = asked
  const filter = { space_id, from, to, subject, after, before, has_attachment }
  const isFiltered = has_attachment || [from, to, subject, after, before].some((one) => one !== null)
  if (q.trim() === '') {
    const ids = await repo.listIds(filter, maxFound)
    const rows = new Map((await repo.listByIds(space_id, ids)).map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = rows.get(id)
      const text = row ? (ownWords(row.text, row.folds) || row.text).slice(0, beginning).toWellFormed() : ''
      return row ? [{ ...factsOf(row), ordinal: null, text }] : []
    })
  }
  const among = isFiltered ? await repo.listIds(filter, maxFiltered) : undefined
  const asking = {
    ...{ space_ids: [space_id], q, kinds: [kind.type], limit: maxFound, per_entity: 2 },
    // Two messages of one text are two.
    repeated: 'keep' as const,
  }
  const hits = await search.query({ ...asking, among })
  const ids = hits.map(({ entity_id }) => entity_id)
  const rows = new Map((await repo.listByIds(space_id, ids)).map((row) => [row.id, row]))
  return hits.flatMap(({ entity_id, ordinal, text }) => {
    const row = rows.get(entity_id)
    return row ? [{ ...factsOf(row), ordinal, text }] : []
  })
}

const factsOf = (row: MailMessageRow): MailFacts => ({
  id: row.id,
  thread_id: row.thread_id,
  subject: row.subject,
  from: row.from,
  to: row.to.slice(0, maxNamed),
  sent_at: row.sent_at,
  direction: row.direction,
  attachments: row.attachments.slice(0, maxNamed).map(({ name }) => name),
})

const maxNamed = 20
