// A thread as a Markdown file: each message under who wrote it, calls of tools folded into a line, citations as links
// with their sources below the answer.

import type { Conversation } from '../contract/companion/companion.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { markdownLine } from '../core/text/cited/cited-markdown.ts'
import type { Queryable } from '../db/pool.ts'
import { createMessagesRepo, type SpokenMessage } from '../db/repos/messages.ts'
import { citedAnswer } from './cited-answer.ts'

export type ThreadExport = {
  database: Queryable
  kinds: Kinds
  conversation: Pick<Conversation, 'id' | 'title'>
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

function toMarkdown(message: SpokenMessage, { kinds, slug, origin }: ThreadExport): string {
  const at = `*${message.created_at.slice(0, 16).replace('T', ' ')} UTC*`
  if (message.role === 'user') {
    const files = message.metadata.attachments?.map(({ title }) => `![[${title}]]`) ?? []
    return `\n${['## You', at, message.body, ...(files.length > 0 ? [files.join('\n')] : [])].join('\n\n')}\n`
  }
  const { tool_trace, error } = message.metadata
  const parts = [
    `## ${markdownLine(message.agent_name ?? 'Companion')}`,
    at,
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
