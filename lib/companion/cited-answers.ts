// Answers outside of their thread, with citations as links: a thread as a Markdown file, and an answer as a page.

import type { Writer } from '../content/writes/write.ts'
import type { Conversation, Message } from '../contract/companion/companion.ts'
import { productNames } from '../contract/companion/product-names.ts'
import type { EntityRow } from '../contract/entities/kind.ts'
import { type Kinds, segmentOf } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { invalid, notFound } from '../core/errors.ts'
import { firstWords } from '../core/text/bounds.ts'
import { citedMarkdown, entityAddress, markdownLine } from '../core/text/cited/cited-markdown.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createMessagesRepo, type SavedMessage, type SpokenMessage } from '../db/repos/messages.ts'

/** Each message under who wrote it, calls of tools folded into a line, and the sources of an answer below it. */
type ThreadExport = {
  database: Queryable
  kinds: Kinds
  conversation: Pick<Conversation, 'id' | 'title' | 'imported_from'>
  /** The slug of its Space. */
  slug: string
  /** Of this server, for links that work outside of it. */
  origin: string
}

/** Messages that are read and held at once. */
const perPage = 40

export async function* exportThread(options: ThreadExport): AsyncGenerator<string> {
  const { database, conversation } = options
  yield `# ${markdownLine(conversation.title) || 'Untitled thread'}\n`
  let after: string | null = null
  do {
    const messages: SpokenMessage[] = await createMessagesRepo(database).listAfter(
      conversation.id,
      after,
      perPage,
    )
    for (const message of messages) yield toMarkdown(message, options)
    after = messages.length === perPage ? messages.at(-1)!.id : null
  } while (after)
}

/** One answer below the first words of its question. */
export async function* exportAnswer(
  message: SavedMessage,
  { database, ...options }: ThreadExport,
): AsyncGenerator<string> {
  const question = message.turn_id
    ? await createMessagesRepo(database).findOfTurn(message.turn_id, 'user')
    : null
  const asked = firstWords(question?.body ?? '')
  yield `# ${markdownLine(asked) || 'Answer'}\n`
  yield toMarkdown(message, { database, ...options })
}

function toMarkdown(message: SpokenMessage, { kinds, slug, origin, conversation }: ThreadExport): string {
  const at = `*${message.created_at.slice(0, 16).replace('T', ' ')} UTC*`
  if (message.role === 'user') {
    const { attachments = [], screenshot } = message.metadata
    const files = [
      ...(screenshot ? ['*Screenshot*'] : []),
      ...attachments.map(({ title }) => `![[${title}]]`),
    ]
    return `\n${['## You', at, message.body, ...(files.length > 0 ? [files.join('\n')] : [])].join('\n\n')}\n`
  }
  const { tool_trace, error, edited_at } = message.metadata
  const product = conversation.imported_from ?? message.metadata.imported_from
  const companion = product ? productNames[product] : 'Companion'
  const parts = [
    `## ${markdownLine(message.agent_name ?? companion)}`,
    edited_at ? `${at} *(edited by the owner)*` : at,
    ...(tool_trace.length > 0 ? [`*Used: ${countTools(tool_trace.map(({ tool }) => tool))}*`] : []),
    citedAnswer(message, { kinds, slug, origin }),
    ...(error ? [`*${markdownLine(error.message)}*`] : []),
  ]
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** "search 2×, read". */
function countTools(names: readonly string[]): string {
  const counts = Map.groupBy(names, (name) => name)
  return [...counts]
    .map(([name, { length }]) => markdownLine(name) + (length === 1 ? '' : ` ${length}×`))
    .join(', ')
}

type SaveDeps = { database: Database; kinds: Kinds; writer: Writer }

const maxQuestion = 200

/**
 * A page that the owner makes of an answer: its text with the citations as links, and at the end which answer it is. Its
 * words are an agent's, which its origin says. Throws `AppError`: 404 for an unknown message, 400 for one that is no
 * answer or has no text.
 */
export async function saveAnswer(
  { database, kinds, writer }: SaveDeps,
  { actor, messageId, title }: { actor: Actor; messageId: string; title: string | undefined },
): Promise<EntityRow> {
  const messages = createMessagesRepo(database)
  const answer = await messages.findAnywhere(messageId)
  if (!answer) throw notFound('message', messageId)
  if (answer.role !== 'assistant' || answer.body.trim() === '')
    throw invalid('Only an answer with text can be saved as a page.')
  const question = answer.turn_id ? await messages.findOfTurn(answer.turn_id, 'user') : null
  const { space_id, space_slug: slug } = answer
  const said = question?.body ?? ''
  const fields = {
    title: title ?? (firstWords(said) || 'Saved answer'),
    body: `${citedAnswer(answer, { kinds, slug, origin: '' })}\n\n---\n\n${provenance(answer, said)}\n`,
  }
  return await database.transaction((tx) =>
    writer.write(tx, { action: 'create', type: 'page', space_id, origin: 'agent', fields }, { actor }),
  )
}

/** Which answer the text is, and where it is shown. */
function provenance({ agent_name, created_at, turn_id, space_slug }: SavedMessage, question: string): string {
  const asked = markdownLine(question.slice(0, maxQuestion).toWellFormed())
  const cut = question.length > maxQuestion ? '…' : ''
  const who = markdownLine(agent_name ?? 'Companion')
  const link = turn_id ? ` [Show in thread](/s/${encodeURIComponent(space_slug)}?turn=${turn_id})` : ''
  return `Answer by ${who} to “${asked}${cut}”, ${created_at.slice(0, 10)}.${link}`
}

type Answer = Pick<Extract<Message, { role: 'assistant' }>, 'body' | 'metadata'>

/** An answer as Markdown whose citations link to their sources. `origin`: what comes before the paths; may be empty. */
function citedAnswer(
  { body, metadata: { citations } }: Answer,
  { kinds, slug, origin }: { kinds: Kinds; slug: string; origin: string },
): string {
  return citedMarkdown(body, citations, ({ kind, id, cited_text }) => {
    const segment = segmentOf(kinds, kind)
    const cite = cited_text.slice(0, maxCite)
    return segment && id ? origin + entityAddress({ slug, segment, id, cite }) : null
  })
}

/** Characters of a quotation that travel in an address. */
const maxCite = 300
