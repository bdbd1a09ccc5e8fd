import type { Writer } from '../content/writes/write.ts'
import type { EntityRow } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Actor } from '../core/actor.ts'
import { invalid, notFound } from '../core/errors.ts'
import { markdownLine } from '../core/text/cited/cited-markdown.ts'
import { firstWords } from '../core/text/first-words.ts'
import type { Database } from '../db/pool.ts'
import { createMessagesRepo, type SavedMessage } from '../db/repos/messages.ts'
import { citedAnswer } from './cited-answer.ts'

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
