// An answer in the owner's words: the message says so, what it said before is kept, and the companion reads the new text
// from then on. Citations stay where their sentence does; words that the owner wrote cite nothing.

import type { AnswerVersion, Message } from '../contract/companion/companion.ts'
import type { Citation } from '../contract/events/events.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import { createAnswerVersionsRepo } from '../db/repos/answer_versions.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'

type Answer = Extract<Message, { role: 'assistant' }>

/** Edits of one answer. */
const maxVersions = 100

/** Throws `AppError`: 404 for what is no message, 400 for one that is no answer, 409 `too_many_versions`. */
export async function editAnswer(
  database: Database,
  messageId: string,
  { text, now }: { text: string; now: Date },
): Promise<Answer> {
  const found = await createMessagesRepo(database).findAnywhere(messageId)
  if (!found) throw notFound('message', messageId)
  if (found.role !== 'assistant')
    throw invalid('Only an answer can be edited. Edit and send the message instead.')
  await database.transaction(async (tx) => {
    const versions = createAnswerVersionsRepo(tx)
    const before = await versions.lock(messageId)
    if (!before) throw notFound('message', messageId)
    if (before.body === text) return
    if ((await versions.list(messageId)).length >= maxVersions)
      throw conflict('too_many_versions', `An answer can be edited ${maxVersions} times.`)
    const citations = moveCitations(before, text)
    const metadata = { ...before.metadata, citations, edited_at: now.toISOString() }
    await versions.replace(messageId, before, { body: text, metadata })
  })
  const {
    space_id: _space,
    space_slug: _slug,
    agent_name: _name,
    ...message
  } = (await createMessagesRepo(database).findAnywhere(messageId)) ?? found
  return message as Answer
}

/** What an answer said before, oldest first. Throws a 404 `AppError`. */
export async function listAnswerVersions(database: Database, messageId: string): Promise<AnswerVersion[]> {
  if (!(await createMessagesRepo(database).findAnywhere(messageId))) throw notFound('message', messageId)
  return await createAnswerVersionsRepo(database).list(messageId)
}

/** Characters before the place of a citation that have to be the same for it to stay behind a change. */
const minWords = 20

/** The citations whose place is in the part that did not change. */
function moveCitations(
  { body, metadata: { citations } }: Pick<Answer, 'body' | 'metadata'>,
  text: string,
): Citation[] {
  const shorter = Math.min(body.length, text.length)
  let same = 0
  while (same < shorter && body[same] === text[same]) same += 1
  let sameEnd = 0
  while (sameEnd < shorter - same && body.at(-1 - sameEnd) === text.at(-1 - sameEnd)) sameEnd += 1
  const grown = text.length - body.length
  return citations.flatMap((citation) => {
    if (citation.end <= same) return [citation]
    const words = Math.max(0, citation.end - minWords)
    return words >= body.length - sameEnd ? [{ ...citation, end: citation.end + grown }] : []
  })
}
