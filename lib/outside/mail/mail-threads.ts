// Threads of a Space for its owner: listed by their latest message, or searched by the one search.

import { inflateSync } from 'node:zlib'
import { kind } from '../../contract/entities/mail_message.ts'
import type { MailThread, MailThreadWithMessages } from '../../contract/mail.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailThreadsRepo, type MailThreadRow } from '../../db/repos/mail_threads.ts'
import { maxFileBytes } from '../../files/vault/paths.ts'
import type { Search } from '../../search/search.ts'
import { checkSpace } from './mail-accounts.ts'

export type MailThreads = {
  /** `cursor` is the `next_cursor` of the page before. Throws a 400 `AppError` for another one. */
  list(asked: ThreadQuery): Promise<{ items: MailThread[]; next_cursor: string | null }>
  /** By its own id, or by that of one of its messages. Throws a 404 `AppError`. */
  find(id: string): Promise<MailThreadWithMessages>
  /** A message as it came. Throws a 404 `AppError`. */
  original(messageId: string): Promise<{ subject: string; bytes: Buffer; whole: boolean }>
}

type ThreadQuery = {
  space_id: string
  q?: string | undefined
  from?: string | undefined
  subject?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** Messages of one thread that are shown. */
const maxMessages = 500
/** Messages that a search looks through. */
const maxFound = 100

export function createMailThreads({ database, search }: { database: Database; search: Search }): MailThreads {
  const threads = createMailThreadsRepo(database)
  const messages = createMailMessagesRepo(database)

  return {
    async list({ q = '', cursor, limit, ...asked }) {
      await checkSpace(database, asked.space_id)
      const filter = { space_id: asked.space_id, from: asked.from ?? null, subject: asked.subject ?? null }
      if (q.trim() !== '') {
        const found = await searchThreads(filter, q)
        const from = offsetOf(cursor)
        const more = found.length > from + limit
        return { items: found.slice(from, from + limit), next_cursor: more ? String(from + limit) : null }
      }
      const before = cursor === undefined ? null : idOf(cursor)
      const rows = await threads.list(filter, { before, limit: limit + 1 })
      const items = rows.slice(0, limit).map(toThread)
      return { items, next_cursor: rows.length > limit ? items.at(-1)!.id : null }
    },

    async find(id) {
      const thread = await threads.find(id, null)
      if (!thread) throw notFound('mail thread', id)
      const items = await messages.listOfThread(thread.id, maxMessages)
      return { ...toThread(thread), items, more: thread.messages > items.length }
    },

    async original(messageId) {
      const found = await messages.findOriginal(messageId)
      if (!found) throw notFound('message', messageId)
      return { ...found, bytes: inflateSync(found.bytes, { maxOutputLength: maxFileBytes }) }
    },
  }

  /** Best first; each shows the passage that was found. */
  async function searchThreads(
    filter: { space_id: string; from: string | null; subject: string | null },
    q: string,
  ): Promise<MailThread[]> {
    const hits = await search.query({
      space_ids: [filter.space_id],
      q,
      kinds: [kind.type],
      limit: maxFound,
      per_entity: 1,
      // Two messages of one text are two.
      repeated: 'keep',
    })
    const rows = await threads.listOfMessages(
      filter,
      hits.map(({ entity_id }) => entity_id),
    )
    const byMessage = new Map(rows.map(({ message_id, ...row }) => [message_id, row]))
    const found = new Map<string, MailThreadRow>()
    for (const { entity_id, text } of hits) {
      const row = byMessage.get(entity_id)
      if (row && !found.has(row.id)) found.set(row.id, { ...row, snippet: text.slice(0, 300).toWellFormed() })
    }
    return [...found.values()].map(toThread)
  }
}

const maxPeople = 5

/** Each of its people once. */
function toThread({ people, ...thread }: MailThreadRow): MailThread {
  const byAddress = Map.groupBy(people, ({ address }) => address.toLowerCase())
  return { ...thread, people: [...byAddress.values()].slice(0, maxPeople).map(([first]) => first!) }
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function idOf(cursor: string): string {
  if (!uuidForm.test(cursor)) throw invalid('cursor: is not valid for this list.')
  return cursor
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,4}$/.test(cursor)) throw invalid('cursor: is not valid for this list.')
  return Number(cursor)
}
