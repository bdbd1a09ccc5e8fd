// The thread of a message, as JWZ's algorithm has it but for the tree: whatever has or names the same id is together,
// in whichever order it comes. An answer that names nothing joins the thread of its subject, where one of its people is
// already; nothing else is put together by its subject, or all monthly reports would be one thread.

import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Queryable } from '../../db/pool.ts'
import { createMailJoinsRepo } from '../../db/repos/mail_threads.ts'
import type { ParsedMessage } from '../message/parse-messages.ts'

export type Joining = {
  space_id: string
  message: Pick<ParsedMessage, 'message_id' | 'references' | 'base_subject' | 'is_answer' | 'subject'>
  /** All addresses, in lower case. */
  people: readonly string[]
  /** The owner's own among them say nothing. */
  own: ReadonlySet<string>
  sent_at: Date
  /** The thread that the server says it is of, by a name that is the server's own; null: it says nothing. */
  provider_thread: string | null
}

/** The id of its thread, which may be new. The caller holds the Space's lock. */
export async function joinThread(tx: Queryable, joining: Joining): Promise<string> {
  const { space_id, message } = joining
  const repo = createMailJoinsRepo(tx)
  const ids = [message.message_id, ...message.references].filter((id) => id !== null)
  const hashes = [...ids, ...(joining.provider_thread ? [joining.provider_thread] : [])].map(sha256)

  const [known, ...others] = hashes.length > 0 ? await repo.findByReferences(space_id, hashes) : []
  if (known && others.length > 0) await repo.merge(known, others)
  const thread = known ?? (await findBySubject(tx, joining)) ?? (await begin(tx, joining))
  if (!isHeadless(message)) await repo.giveHead(thread, message.base_subject)
  if (hashes.length > 0) await repo.addReferences(space_id, thread, hashes)
  return thread
}

const isHeadless = ({ is_answer, references }: Joining['message']): boolean =>
  is_answer && references.length === 0

/** Either may come first: the answer, or what it answers. */
async function findBySubject(tx: Queryable, { space_id, message, people, own }: Joining) {
  if (message.base_subject === '') return null
  const others = people.filter((address) => !own.has(address))
  return await createMailJoinsRepo(tx).findBySubject(space_id, {
    base_subject: message.base_subject,
    people: others.length > 0 ? others : people,
    headless: !isHeadless(message),
  })
}

async function begin(tx: Queryable, { space_id, message, sent_at }: Joining): Promise<string> {
  const id = uuid()
  const { subject, base_subject } = message
  await createMailJoinsRepo(tx).insert({
    ...{ id, space_id, base_subject, headless: isHeadless(message) },
    title: subject || noSubject,
    last_message_at: sent_at,
  })
  return id
}

export const noSubject = 'No subject'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
