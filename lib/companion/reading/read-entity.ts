// Entities, conversations and threads of mail as tools read them, by lines, and as citations are checked against.

import type { ReadRequest, ReadResult } from '../../ai/agent/services.ts'
import type { Source } from '../../ai/agent/sources.ts'
import { listTitledBacklinks } from '../../content/links/backlinks.ts'
import type { Message } from '../../contract/companion/companion.ts'
import { productNames } from '../../contract/companion/product-names.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { countTokens } from '../../core/text/count-tokens.ts'
import { shortenPictures } from '../../core/text/data-pictures.ts'
import { ownWords } from '../../core/text/folds.ts'
import { splitFrontMatter } from '../../core/text/markdown.ts'
import { readProperties } from '../../core/text/properties/read-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../db/repos/mail_threads.ts'
import { createMessagesRepo } from '../../db/repos/messages.ts'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
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
    ...cutLines(shortenPictures(text), {
      from: request.from_line ?? 1,
      to: request.to_line,
      max: maxCharacters,
      maxTokens: request.max_tokens,
    }),
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
  const text = textOf(row[kind.bodyField])
  return {
    title: titleOf(row),
    version: row.version,
    origin: row.origin,
    fields: {
      ...(kind.references.parent_id ? { path: await pathOf(db, row) } : {}),
      ...shortFields(kind, row),
      ...(kind.frontMatter ? propertiesIn(text) : {}),
    },
    text,
  }
}

/** The titles of the pages above it and its own, with slashes between them. */
async function pathOf(db: Queryable, row: EntityRow): Promise<string> {
  if (row.parent_id === null) return titleOf(row)
  const above = (await createPageTreeRepo(db).listAbove(row.space_id, [row.id])).get(row.id) ?? []
  return [...above.map(({ title }) => title), titleOf(row)].join('/')
}

/** Tags and other properties, as a proposal sets them. */
function propertiesIn(text: string): Record<string, unknown> {
  const { tags, ...properties } = readProperties(splitFrontMatter(text).yaml).properties
  return {
    ...(tags === undefined ? {} : { tags }),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
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
  const authorOf = ({ role, metadata }: Message): string => {
    if (role === 'user') return 'Owner'
    const product = conversation.imported_from ?? metadata.imported_from
    return product ? productNames[product] : 'Companion'
  }
  return {
    title: conversation.title || 'Conversation',
    version: null,
    origin: conversation.imported_from ? 'import' : 'owner',
    fields: {
      started_at: conversation.started_at,
      last_activity_at: conversation.last_activity_at,
      ...(conversation.imported_from ? { imported_from: conversation.imported_from } : {}),
    },
    text: messages.map((message) => `${authorOf(message)}: ${message.body}`).join('\n\n'),
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
      .map(({ from, sent_at, ...message }) => {
        const text = ownWords(message.text, message.folds) || message.text
        return `${from.name || from.address}, ${sent_at.slice(0, 10)}:\n\n${text}`
      })
      .join('\n\n'),
  }
}

/** Characters of one block, the smallest thing that can be cited. */
const maxPerBlock = 1500

/** Characters of a run of lines, unless one is longer. */
const maxPerRun = 400

/** Lines, counted from 1, and how many characters of them fit; and how many tokens with their numbers, if that is bounded. */
type Wanted = { from: number; to?: number | undefined; max: number; maxTokens?: number | undefined }

/** The wanted lines as blocks, as many as fit; at least one line, itself cut when it alone is too long. */
export function cutLines(text: string, { from, to, max, maxTokens = Number.POSITIVE_INFINITY }: Wanted) {
  // Blank lines at the end are nothing to go on with.
  const lines = text.trimEnd().split('\n')
  const first = Math.min(from, lines.length)
  const wanted = lines.slice(first - 1, to === undefined ? undefined : Math.max(to, first))
  const kept: string[] = []
  let [left, tokens] = [max, maxTokens]

  for (const [at, line] of wanted.entries()) {
    const opens = line.trim() !== '' && (wanted[at - 1] ?? '').trim() === ''
    const frame =
      tokensPerLine + (opens ? tokensPerBlock : Math.ceil((tokensPerBlock * line.length) / maxPerRun))
    const cost = maxTokens === Number.POSITIVE_INFINITY ? 0 : countTokens(JSON.stringify(line)) + frame
    if ((line.length > left || cost > tokens) && kept.length > 0) break
    const fitting = cost > tokens ? Math.floor((line.length * tokens) / cost) : left
    kept.push(line.slice(0, Math.min(left, fitting)).toWellFormed())
    left -= cost > tokens ? left + 1 : line.length + 1
    tokens -= cost
    if (left <= 0) break
  }
  const placed = toBlocks(kept, first)
  return {
    blocks: placed.map(({ text }) => text),
    block_lines: placed.map(({ line }) => line),
    from_line: first,
    to_line: first + kept.length - 1,
    total_lines: lines.length,
    cut: first + kept.length - 1 < lines.length || left < 0,
  }
}

/** The number of a line, as it is shown before it, and what a block has around its text. */
const tokensPerLine = 4
const tokensPerBlock = 14

/** A text, and the line that it begins at. */
type Placed = { text: string; line: number }

// Paragraph by paragraph; a very long paragraph in runs of lines; a very long line by length.
function toBlocks(lines: readonly string[], first: number): Placed[] {
  const paragraphs: Placed[] = []
  let open = false
  for (const [at, text] of lines.entries()) {
    const isBlank = text.trim() === ''
    if (open && !isBlank) paragraphs.at(-1)!.text += `\n${text}`
    else if (!isBlank) paragraphs.push({ text, line: first + at })
    open = !isBlank
  }
  return paragraphs
    .flatMap(({ text, line }) => (text.length <= maxPerBlock ? [{ text, line }] : toRuns(text, line)))
    .flatMap(({ text, line }) =>
      (text.match(new RegExp(`[^]{1,${maxPerBlock}}`, 'gu')) ?? []).map((piece) => ({ text: piece, line })),
    )
    .filter(({ text }) => text.trim() !== '')
}

function toRuns(paragraph: string, first: number): Placed[] {
  const runs: Placed[] = []
  for (const [at, text] of paragraph.split('\n').entries()) {
    const run = runs.at(-1)
    if (run && run.text.length + text.length < maxPerRun) run.text += `\n${text}`
    else runs.push({ text, line: first + at })
  }
  return runs
}
