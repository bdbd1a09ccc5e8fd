// Messages as rows: once for each Space, in a thread, found by the search. A message that is there already is found
// again by its fingerprint (see find-known.ts).

import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { type EntityRow, searchParts, titleOf } from '../../../contract/entities/kind.ts'
import { kind } from '../../../contract/entities/mail_message.ts'
import { ownWords } from '../../../core/text/folds.ts'
import type { Database, Queryable } from '../../../db/pool.ts'
import { createMailAccountsRepo } from '../../../db/repos/mail_accounts.ts'
import { createMailImportsRepo } from '../../../db/repos/mail_folders.ts'
import { createMailMessagesRepo, type NewMailMessage } from '../../../db/repos/mail_messages.ts'
import { createMailJoinsRepo } from '../../../db/repos/mail_threads.ts'
import type { MailEntry } from '../../../files/vault/manifest.ts'
import { maxIndexedAtOnce } from '../../../search/index-document.ts'
import type { Search } from '../../../search/search.ts'
import { type ParsedMessage, readingRevision } from '../message/parse-messages.ts'
import { findKnown } from './find-known.ts'

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

type Delivery = {
  space_id: string
  /** Null: an import. */
  account_id: string | null
  messages: readonly IncomingMessage[]
}

type StoredMessage = {
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
  search: Pick<Search, 'index' | 'defer'>,
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
  search: Pick<Search, 'index' | 'defer'>,
  { space_id, account_id, own, incoming }: Storing,
): Promise<{ id: string; thread_id: string }> {
  const { parsed, received_at, whole, provider_thread, entry } = incoming
  const { message_id, references, subject, base_subject, is_answer, from, to, cc } = parsed
  const sent_at = sentAt(parsed, received_at)
  const people = peopleOf(parsed)
  const message = { message_id, references, subject, base_subject, is_answer }
  const thread_id = await joinThread(tx, { space_id, message, people, own, sent_at, provider_thread })
  const row: NewMailMessage = {
    id: uuid(),
    space_id,
    thread_id,
    account_id,
    message_id,
    sent_at,
    from,
    to,
    cc,
    people,
    fingerprint: parsed.fingerprint,
    title: subject || noSubject,
    sent_by_import: entry?.sent ?? false,
    direction: entry?.sent || own.has(from.address.toLowerCase()) ? 'sent' : 'received',
    text: parsed.text,
    folds: parsed.folds,
    snippet: snippetOf(parsed),
    reading: readingRevision,
    attachments: parsed.attachments,
    automated: parsed.automated,
    imported: account_id === null,
  }
  const repo = createMailMessagesRepo(tx)
  await repo.insert(row)
  await repo.insertOriginal(row.id, parsed.original, whole)
  const { id, title, text, folds } = row
  const named = { from_name: from.name, from_address: from.address, recipients: to }
  await indexMessage(tx, search, { ...emptyRow, id, space_id, title, text, folds, ...named })
  return { id: row.id, thread_id }
}

const maxSnippet = 300

/** How a message begins, without what it quotes. */
export function snippetOf({ text, folds }: Pick<ParsedMessage, 'text' | 'folds'>): string {
  return (ownWords(text, folds).trim() || text).slice(0, maxSnippet).toWellFormed()
}

/** Makes a message searchable as its row is. A long one is indexed in the background. */
export async function indexMessage(
  tx: Queryable,
  search: Pick<Search, 'index' | 'defer'>,
  row: EntityRow,
): Promise<void> {
  const { space_id, id: entity_id } = row
  const document = { space_id, entity_type: kind.type, entity_id, title: titleOf(row) }
  const text = kind.searchText(row)
  if (text.length > maxIndexedAtOnce) await search.defer(tx, { ...document, text })
  else await search.index(tx, { ...document, text: searchParts(kind, row) })
}

/** The columns that say nothing of what it is found by. */
const emptyRow = {
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

// The thread of a message, as JWZ's algorithm has it but for the tree: whatever has or names the same id is together,
// in whichever order it comes. An answer that names nothing joins the thread of its subject, where one of its people is
// already; nothing else is put together by its subject, or all monthly reports would be one thread.

type Joining = {
  space_id: string
  message: Pick<ParsedMessage, 'message_id' | 'references' | 'base_subject' | 'is_answer' | 'subject'>
  /** All addresses, in lower case. */
  people: readonly string[]
  /** Ignores the owner's own addresses. */
  own: ReadonlySet<string>
  sent_at: Date
  /** The thread that the server says it is of, by a name that is the server's own; null: it says nothing. */
  provider_thread: string | null
}

/** The id of its thread, which may be new. The caller holds the Space's lock. */
async function joinThread(tx: Queryable, joining: Joining): Promise<string> {
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
    id,
    space_id,
    base_subject,
    headless: isHeadless(message),
    title: subject || noSubject,
    last_message_at: sent_at,
  })
  return id
}

export const noSubject = 'No subject'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

const perTransaction = 50

/** Removes messages that are marked as deleted, with their passages, a few at a time; how many. */
export async function purgeDeleted(
  { database, search }: { database: Database; search: Pick<Search, 'remove'> },
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const spaceId = await createMailMessagesRepo(database).findSpaceToPurge()
    if (spaceId === null) break
    removed += await database.transaction(async (tx) => {
      // A message that comes in again meanwhile waits, and is a new one then.
      await createMailJoinsRepo(tx).lockSpace(spaceId)
      const repo = createMailMessagesRepo(tx)
      const some = await repo.listDeleted(spaceId, perTransaction)
      for (const { id } of some) await search.remove(tx, id)
      await repo.remove(some.map(({ id }) => id))
      await createMailJoinsRepo(tx).summarize([...new Set(some.map(({ thread_id }) => thread_id))])
      return some.length
    })
  }
  return removed
}
