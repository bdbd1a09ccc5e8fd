import type { ReadRequest, ReadResult } from '../../ai/agent/services.ts'
import type { Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { AppError, notFound } from '../../errors.ts'
import { listTitledBacklinks } from '../../links/titled-backlinks.ts'

/** Characters of text that one read gives; the rest is asked for by lines. */
const maxCharacters = 24_000
/** Characters of one block, the smallest thing that can be cited. */
const maxPerBlock = 1500
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
  const readable =
    request.kind === 'conversation'
      ? await readConversation(db, request)
      : await readRow(db, kinds.get(request.kind), request)
  const { text, ...facts } = readable

  return {
    entity_type: request.kind,
    entity_id: request.id,
    ...facts,
    ...cutLines(text, request.from_line ?? 1, request.to_line),
    backlinks: await listTitledBacklinks(db, kinds, request),
  }
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

/** Title and text of a conversation of the Space; `null` when there is none. */
export async function findConversation(
  db: Queryable,
  request: ReadRequest,
): Promise<{ title: string; text: string } | null> {
  return await readConversation(db, request).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  })
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

/** The wanted lines as blocks, as many as fit; at least one line, itself cut when it alone is too long. */
function cutLines(text: string, from: number, to: number | undefined) {
  const lines = text.split('\n')
  const first = Math.min(from, lines.length)
  const wanted = lines.slice(first - 1, to === undefined ? undefined : Math.max(to, first))
  const kept: string[] = []
  let left = maxCharacters

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
