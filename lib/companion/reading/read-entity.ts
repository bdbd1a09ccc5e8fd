// Entities, conversations and threads of mail as tools read them, by lines, and as citations are checked against.

import type { ReadRequest, ReadResult } from '../../ai/agent/services.ts'
import type { Source } from '../../ai/agent/sources.ts'
import { listTitledBacklinks } from '../../content/links/extract.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { AppError, notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../db/repos/mail_threads.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createToolResultsRepo } from '../../db/repos/tool_calls.ts'

/** Characters of text that one read gives; the rest is asked for by lines. */
const maxCharacters = 24_000
const messagesOfConversation = 200

type Readable = {
  title: string
  version: number | null
  origin: string
  fields: Record<string, unknown>
  text: string
}

/** One entity or conversation of the Space as a tool reads it. Throws a 404 `AppError` for what is not there. */
export async function readEntity(db: Queryable, kinds: Kinds, request: ReadRequest): Promise<ReadResult> {
  const [{ text, ...facts }, backlinks] = await Promise.all([
    readText(db, kinds, request),
    listTitledBacklinks(db, kinds, request),
  ])

  return {
    entity_type: request.kind,
    entity_id: request.id,
    ...facts,
    ...cutLines(text, { from: request.from_line ?? 1, to: request.to_line, max: maxCharacters }),
    backlinks,
  }
}

async function readText(db: Queryable, kinds: Kinds, request: ReadRequest): Promise<Readable> {
  if (request.kind === 'conversation') return await readConversation(db, request)
  if (request.kind === 'mail_thread') return await readThread(db, request)
  return await readRow(db, kinds.get(request.kind), request)
}

async function readRow(db: Queryable, kind: Kind, { space_id, id }: ReadRequest): Promise<Readable> {
  const row = await createEntitiesRepo(db).find(kind, space_id, id)
  if (!row) throw notFound(kind.label, id)
  return {
    title: titleOf(row),
    version: row.version,
    origin: row.origin,
    fields: shortFields(kind, row),
    text: textOf(row[kind.bodyField]),
  }
}

function shortFields(kind: Kind, row: EntityRow): Record<string, unknown> {
  const names = ['title', ...Object.keys(kind.fields.shape), 'updated_at', 'updated_by']
  return Object.fromEntries(names.filter((name) => name !== kind.bodyField).map((name) => [name, row[name]]))
}

/** The title and the stored text of a source; `null` when there is no such thing in the Space. */
export async function findStoredText(
  { database, kinds }: { database: Queryable; kinds: Kinds },
  space_id: string,
  { entity_type: kind, entity_id: id }: Source,
): Promise<{ title: string; text: string } | null> {
  if (kind === 'conversation' || kind === 'mail_thread') {
    const read = kind === 'conversation' ? readConversation : readThread
    return await read(database, { space_id, kind, id }).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null
      throw error
    })
  }
  if (kind === 'tool_result') {
    const result = await createToolResultsRepo(database).find(id, space_id)
    return result && { title: `${result.source_name} › ${result.tool}`, text: result.text }
  }
  const definition = kinds.find(kind)
  const row = definition && (await createEntitiesRepo(database).find(definition, space_id, id))
  return row
    ? { title: titleOf(row), text: `${definition.searchText(row)}\n${textOf(row[definition.bodyField])}` }
    : null
}

async function readConversation(db: Queryable, { space_id, id }: ReadRequest): Promise<Readable> {
  const conversation = await createConversationsRepo(db).find(space_id, id)
  if (!conversation) throw notFound('conversation', id)
  const messages = await createMessagesRepo(db).listLatest(id, null, messagesOfConversation)
  return {
    title: conversation.title || 'Conversation',
    version: null,
    origin: 'owner',
    fields: { started_at: conversation.started_at, last_activity_at: conversation.last_activity_at },
    text: messages
      .map(({ role, body }) => `${role === 'user' ? 'Owner' : 'Companion'}: ${body}`)
      .join('\n\n'),
  }
}

async function readThread(db: Queryable, { space_id, id }: ReadRequest): Promise<Readable> {
  const thread = await createMailThreadsRepo(db).find(id, space_id)
  if (thread?.id !== id) throw notFound('mail thread', id)
  const messages = await createMailMessagesRepo(db).listOfThread(id, messagesOfConversation)
  return {
    title: thread.subject,
    version: null,
    origin: 'mail',
    fields: { messages: thread.messages, last_message_at: thread.last_message_at },
    text: messages
      .map(({ from, sent_at, text }) => `${from.name || from.address}, ${sent_at}:\n\n${text}`)
      .join('\n\n'),
  }
}

/** Characters of one block, the smallest thing that can be cited. */
const maxPerBlock = 1500

/** Lines, counted from 1, and how many characters of them fit. */
type Wanted = { from: number; to?: number | undefined; max: number }

/** The wanted lines as blocks, as many as fit; at least one line, itself cut when it alone is too long. */
export function cutLines(text: string, { from, to, max }: Wanted) {
  const lines = text.split('\n')
  const first = Math.min(from, lines.length)
  const wanted = lines.slice(first - 1, to === undefined ? undefined : Math.max(to, first))
  const kept: string[] = []
  let left = max

  for (const line of wanted) {
    if (line.length > left && kept.length > 0) break
    kept.push(line.slice(0, left).toWellFormed())
    left -= line.length + 1
    if (left <= 0) break
  }
  return {
    blocks: toBlocks(kept.join('\n')),
    from_line: first,
    to_line: first + kept.length - 1,
    total_lines: lines.length,
    cut: first + kept.length - 1 < lines.length || left < 0,
  }
}

// Paragraph by paragraph; a very long paragraph line by line; a very long line by length.
function toBlocks(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => (paragraph.length <= maxPerBlock ? [paragraph] : paragraph.split('\n')))
    .flatMap((piece) => piece.match(new RegExp(`[^]{1,${maxPerBlock}}`, 'gu')) ?? [])
    .filter((piece) => piece.trim() !== '')
}
