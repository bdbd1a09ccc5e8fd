// Messages as rows: once for each Space, in a thread, found by the search. A message that is there already is found
// again by its fingerprint (see find-known.ts).

import { v7 as uuid } from 'uuid'
import type { Queryable } from '../../db/pool.ts'
import { createMailAccountsRepo } from '../../db/repos/mail_accounts.ts'
import { createMailImportsRepo } from '../../db/repos/mail_folders.ts'
import { createMailMessagesRepo, type NewMailMessage } from '../../db/repos/mail_messages.ts'
import { createMailJoinsRepo } from '../../db/repos/mail_threads.ts'
import { kind } from '../../entities/mail_message.ts'
import type { Search } from '../../search/search.ts'
import type { MailEntry } from '../../vault/manifest.ts'
import type { ParsedMessage } from '../message/parse-messages.ts'
import { findKnown } from './find-known.ts'
import { joinThread, noSubject } from './join-thread.ts'

export type IncomingMessage = {
  parsed: ParsedMessage
  /** When it reached the server, or was imported. */
  received_at: Date
  /** Whether the original is all of it. */
  whole: boolean
  provider_thread: string | null
  /** What the file that it came in says of it. */
  entry?: MailEntry
}

export type Delivery = {
  space_id: string
  /** Null: an import. */
  account_id: string | null
  messages: readonly IncomingMessage[]
}

export type StoredMessage = {
  id: string
  /** It was not there before. */
  is_new: boolean
}

/**
 * Stores messages, and says what each is now, in the order given; null when the Space is gone. In the caller's transaction,
 * which holds the Space's lock from then on.
 */
export async function storeMessages(
  tx: Queryable,
  search: Pick<Search, 'index'>,
  { space_id, account_id, messages }: Delivery,
): Promise<StoredMessage[] | null> {
  const repo = createMailMessagesRepo(tx)
  if (!(await createMailJoinsRepo(tx).lockSpace(space_id))) return null
  const own = await createMailAccountsRepo(tx).ownAddresses(space_id)
  const imported = account_id === null
  const parsed = messages.map((message) => message.parsed)
  const known = await findKnown(tx, { space_id, messages: parsed, by_message_id: imported })
  const joined = new Set<string>()
  const all: StoredMessage[] = []

  for (const incoming of messages) {
    const found = known.find(incoming.parsed)
    if (found) await repo.refind(found.id, { imported, account_id })
    const stored = found ?? (await storeMessage(tx, search, { space_id, account_id, own, incoming }))
    if (incoming.entry) await createMailImportsRepo(tx).savePlaces(stored.id, incoming.entry.places)
    known.add(incoming.parsed, { ...stored, deleted: false })
    joined.add(stored.thread_id)
    all.push({ id: stored.id, is_new: !found || found.deleted })
  }
  await createMailJoinsRepo(tx).summarize([...joined])
  return all
}

type Storing = { space_id: string; account_id: string | null; own: Set<string>; incoming: IncomingMessage }

async function storeMessage(
  tx: Queryable,
  search: Pick<Search, 'index'>,
  { space_id, account_id, own, incoming }: Storing,
): Promise<{ id: string; thread_id: string }> {
  const { parsed, received_at, whole, provider_thread, entry } = incoming
  const { message_id, references, subject, base_subject, is_answer, from, to, cc } = parsed
  const sent_at = sentAt(parsed, received_at)
  const people = peopleOf(parsed)
  const message = { message_id, references, subject, base_subject, is_answer }
  const thread_id = await joinThread(tx, { space_id, message, people, own, sent_at, provider_thread })
  const row: NewMailMessage = {
    ...{ id: uuid(), space_id, thread_id, account_id, message_id, sent_at, from, to, cc, people },
    fingerprint: parsed.fingerprint,
    title: subject || noSubject,
    sent_by_import: entry?.sent ?? false,
    direction: entry?.sent || own.has(from.address.toLowerCase()) ? 'sent' : 'received',
    text: parsed.text,
    attachments: parsed.attachments,
    automated: parsed.automated,
    imported: account_id === null,
  }
  const repo = createMailMessagesRepo(tx)
  await repo.insert(row)
  await repo.insertOriginal(row.id, parsed.original, whole)
  await search.index(tx, documentOf(row))
  return { id: row.id, thread_id }
}

const documentOf = (row: NewMailMessage) => ({
  space_id: row.space_id,
  entity_type: kind.type,
  entity_id: row.id,
  title: row.title,
  text: kind.searchText({
    ...emptyRow,
    from_name: row.from.name,
    from_address: row.from.address,
    recipients: row.to,
    text: row.text,
  }),
})

/** The columns that say nothing of what it is found by. */
const emptyRow = {
  id: '',
  space_id: '',
  version: 1,
  created_at: '',
  updated_at: '',
  created_by: '',
  updated_by: '',
  origin: 'mail',
  deleted_at: null,
} as const

const dayMs = 86_400_000

/** What the message says, unless it can't be: it was not sent after it came, or before there was mail. */
function sentAt({ sent_at }: ParsedMessage, receivedAt: Date): Date {
  if (sent_at === null || sent_at < 0 || sent_at > receivedAt.getTime() + dayMs) return receivedAt
  return new Date(sent_at)
}

function peopleOf({ from, to, cc }: ParsedMessage): string[] {
  const addresses = [from, ...to, ...cc].map(({ address }) => address.toLowerCase())
  return [...new Set(addresses)].filter((address) => address !== '')
}
