import type { MailAttachment, MailDirection, MailFold, MailPerson } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'
import { createMailboxesRepo } from './mailboxes.ts'

export type NewMailMessage = {
  id: string
  space_id: string
  thread_id: string
  account_id: string | null
  /** Base64. */
  fingerprint: string
  message_id: string | null
  title: string
  sent_at: Date
  direction: MailDirection
  from: MailPerson
  to: MailPerson[]
  cc: MailPerson[]
  people: string[]
  text: string
  folds: MailFold[]
  snippet: string
  reading: number
  attachments: MailAttachment[]
  automated: boolean
  imported: boolean
  /** Whether an import says that the owner sent it. */
  sent_by_import: boolean
}

export type MailMessageRow = {
  id: string
  thread_id: string
  message_id: string | null
  subject: string
  sent_at: string
  direction: MailDirection
  from: MailPerson
  to: MailPerson[]
  cc: MailPerson[]
  text: string
  folds: MailFold[]
  attachments: MailAttachment[]
  automated: boolean
  unread: boolean
  answered: boolean
  imported: boolean
}

export type KnownMessage = { id: string; thread_id: string; deleted: boolean }

/** What a reply is made from. */
export type AnsweredMessage = Pick<
  MailMessageRow,
  'message_id' | 'subject' | 'sent_at' | 'direction' | 'from' | 'to' | 'cc' | 'text' | 'folds'
> & { account_id: string | null; original: Buffer | null }

export type MessageFilter = {
  space_id: string
  from: string | null
  to: string | null
  subject: string | null
  /** ISO 8601: sent at or after, and before. */
  after: string | null
  before: string | null
  has_attachment: boolean
}

// Looked up for each message: `exists` may be planned as one look through the places of all mail.
const isSomewhere = (flagged: string) =>
  `coalesce((select true from mail_places l where l.message_id = m.id and ${flagged} limit 1), false)`

const columns = `id, thread_id, message_id, title as subject, sent_at, direction,
  json_build_object('name', from_name, 'address', from_address) as from, recipients as to, cc, text, folds,
  attachments, automated, imported,
  ${isSomewhere(`'\\Answered' = any(l.flags)`)} as answered,
  m.direction = 'received' and ${isSomewhere(`'\\Seen' <> all(l.flags)`)} as unread`

const here = `m.deleted_at is null
  and exists (select from spaces where spaces.id = m.space_id and spaces.deleted_at is null)`

const holds = (place: number, ...columns: string[]) =>
  `($${place}::text is null or ${columns.map((column) => `position(lower($${place}) in lower(${column})) > 0`).join(' or ')})`

export function createMailMessagesRepo(db: Queryable) {
  return {
    async isAny(spaceId: string): Promise<boolean> {
      const { rows } = await db.query(
        'select from mail_messages where space_id = $1 and deleted_at is null limit 1',
        [spaceId],
      )
      return rows.length > 0
    },

    /** Those with these fingerprints, deleted ones included, by fingerprint. */
    async findByFingerprints(
      spaceId: string,
      fingerprints: readonly string[],
    ): Promise<Map<string, KnownMessage>> {
      const { rows } = await db.query<KnownMessage & { fingerprint: string }>(
        `select id, thread_id, deleted_at is not null as deleted, encode(fingerprint, 'base64') as fingerprint
         from mail_messages
         where space_id = $1 and fingerprint = any($2::bytea[])`,
        [spaceId, fingerprints.map((each) => Buffer.from(each, 'base64'))],
      )
      return new Map(rows.map(({ fingerprint, ...row }) => [fingerprint, row]))
    },

    async insert(message: NewMailMessage): Promise<void> {
      const { id, space_id, thread_id, account_id, fingerprint, message_id, title, sent_at, direction } =
        message
      const { from, to, cc, people, text, attachments, automated, imported, sent_by_import } = message
      const { folds, snippet, reading } = message
      await db.query(
        `insert into mail_messages
           (id, space_id, thread_id, account_id, fingerprint, message_id, title, sent_at, updated_at, direction,
            from_name, from_address, recipients, cc, people, text, attachments, automated, imported,
            sent_by_import, folds, snippet, reading)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
           $22)`,
        [
          ...[id, space_id, thread_id, account_id, Buffer.from(fingerprint, 'base64'), message_id, title],
          ...[
            sent_at,
            direction,
            from.name,
            from.address,
            JSON.stringify(to),
            JSON.stringify(cc),
            people,
            text,
          ],
          ...[JSON.stringify(attachments), automated, imported, sent_by_import],
          ...[JSON.stringify(folds), snippet, reading],
        ],
      )
    },

    async insertOriginal(messageId: string, bytes: Uint8Array, whole: boolean): Promise<void> {
      await db.query('insert into mail_originals (message_id, bytes, whole) values ($1, $2, $3)', [
        messageId,
        Buffer.from(bytes),
        whole,
      ])
    },

    /** It was found (again): in an account, or by an import. */
    async refind(id: string, { imported, account_id }: { imported: boolean; account_id: string | null }) {
      await db.query(
        `update mail_messages
         set deleted_at = null, imported = imported or $2, account_id = coalesce(account_id, $3)
         where id = $1`,
        [id, imported, account_id],
      )
    },

    /** The latest of a thread, oldest first: as many as there is room for so many characters of text, at least one. */
    async listOfThread(threadId: string, limit: number, maxText = 1_000_000): Promise<MailMessageRow[]> {
      const { rows } = await db.query<MailMessageRow>(
        `select ${columns}
         from mail_messages m
         where thread_id = $1 and ${here}
           and id in (
             select id
             from (
               select id, sum(length(text)) over (order by sent_at desc, id desc) - length(text) as later
               from (
                 select id, sent_at, text
                 from mail_messages
                 where thread_id = $1 and deleted_at is null
                 order by sent_at desc, id desc
                 limit $2
               ) as latest
             ) as measured
             where later < $3
           )
         order by sent_at, id`,
        [threadId, limit, maxText],
      )
      return rows
    },

    async listByIds(spaceId: string, ids: readonly string[]): Promise<MailMessageRow[]> {
      const { rows } = await db.query<MailMessageRow>(
        `select ${columns}
         from mail_messages m
         where space_id = $1 and id = any($2::uuid[]) and ${here}`,
        [spaceId, ids],
      )
      return rows
    },

    /** Those that the filter lets through, the latest first. */
    async listIds(filter: MessageFilter, limit: number): Promise<string[]> {
      const { space_id, from, to, subject, after, before, has_attachment } = filter
      const { rows } = await db.query<{ id: string }>(
        `select id
         from mail_messages m
         where space_id = $1 and ${here}
           and ${holds(2, 'from_name', 'from_address')}
           and ${holds(3, 'recipients::text', 'cc::text')}
           and ${holds(4, 'title')}
           and ($5::timestamptz is null or sent_at >= $5)
           and ($6::timestamptz is null or sent_at < $6)
           and (not $7::boolean or attachments <> '[]')
         order by sent_at desc, id desc
         limit $8`,
        [space_id, from, to, subject, after, before, has_attachment, limit],
      )
      return rows.map(({ id }) => id)
    },

    async findOriginal(id: string): Promise<{ subject: string; bytes: Buffer; whole: boolean } | null> {
      const { rows } = await db.query<{ subject: string; bytes: Buffer; whole: boolean }>(
        `select title as subject, bytes, whole
         from mail_messages m
         join mail_originals o on o.message_id = m.id
         where m.id = $1 and ${here}`,
        [id],
      )
      return rows[0] ?? null
    },

    async findAnswered(spaceId: string, id: string): Promise<AnsweredMessage | null> {
      const { rows } = await db.query<AnsweredMessage>(
        `select m.message_id, title as subject, sent_at, direction, recipients as to, cc, text, folds, account_id,
           json_build_object('name', from_name, 'address', from_address) as from, o.bytes as original
         from mail_messages m
         left join mail_originals o on o.message_id = m.id
         where m.space_id = $1 and m.id = $2 and ${here}`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** Works out anew which messages the owner wrote. */
    async redirect(spaceId: string, own: readonly string[]): Promise<void> {
      await db.query(
        `update mail_messages
         set direction = case when sent_by_import or lower(from_address) = any($2::text[]) then 'sent' else 'received' end
         where space_id = $1
           and (direction = 'sent') is distinct from (sent_by_import or lower(from_address) = any($2::text[]))`,
        [spaceId, own],
      )
    },

    /** Marks what an account found and no server has any more as deleted; how many. */
    async deleteLost(accountId: string): Promise<number> {
      const { rows } = await db.query(
        `update mail_messages m
         set deleted_at = now()
         where account_id = $1 and not imported and deleted_at is null
           and not exists (select from mail_locations l where l.message_id = m.id)
         returning 1`,
        [accountId],
      )
      return rows.length
    },

    /** Lets the mail of an account that is removed stay, or marks what nobody else has as deleted. */
    async leaveAccount(accountId: string, what: 'keep' | 'delete'): Promise<void> {
      if (what === 'delete') return await createMailboxesRepo(db).leave(accountId, 'delete')
      await db.query('update mail_messages set imported = true where account_id = $1', [accountId])
    },

    /** A Space with some that are marked as deleted; in the trash or not. */
    async findSpaceToPurge(): Promise<string | null> {
      const { rows } = await db.query<{ space_id: string }>(
        'select space_id from mail_messages where deleted_at is not null order by id limit 1',
      )
      return rows[0]?.space_id ?? null
    },

    /** Some of those that are marked as deleted. */
    async listDeleted(spaceId: string, limit: number): Promise<{ id: string; thread_id: string }[]> {
      const { rows } = await db.query<{ id: string; thread_id: string }>(
        `select id, thread_id
         from mail_messages
         where space_id = $1 and deleted_at is not null
         order by id
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    async remove(ids: readonly string[]): Promise<void> {
      await db.query('delete from mail_messages where id = any($1::uuid[]) and deleted_at is not null', [ids])
    },
  }
}
