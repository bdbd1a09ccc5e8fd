import type { MailAttachment } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'

export type StoredMessage = {
  id: string
  attachments: MailAttachment[]
  /** Whether its attachments are stored with it. */
  whole: boolean
}

/** Attachments of messages, and their texts once they were read. */
export function createMailAttachmentsRepo(db: Queryable) {
  return {
    /** `spaceId` null: in any Space. */
    async find(messageId: string, spaceId: string | null): Promise<StoredMessage | null> {
      const { rows } = await db.query<StoredMessage>(
        `select m.id, m.attachments, o.whole
         from mail_messages m
         join mail_originals o on o.message_id = m.id
         where m.id = $1 and m.deleted_at is null and ($2::uuid is null or m.space_id = $2)
           and exists (select from spaces where spaces.id = m.space_id and spaces.deleted_at is null)`,
        [messageId, spaceId],
      )
      return rows[0] ?? null
    },

    /** The message, compressed; empty when it is gone. */
    async loadOriginal(messageId: string): Promise<Buffer> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        'select bytes from mail_originals where message_id = $1',
        [messageId],
      )
      return rows[0]?.bytes ?? Buffer.alloc(0)
    },

    /** One of the places where a server has the message. */
    async findLocation(
      messageId: string,
    ): Promise<{ account_id: string; path: string; uid_validity: string; uid: number } | null> {
      const { rows } = await db.query<{
        account_id: string
        path: string
        uid_validity: string
        uid: number
      }>(
        `select f.account_id, f.path, f.uid_validity::text as uid_validity, l.uid::float8 as uid
         from mail_locations l
         join mail_folders f on f.id = l.folder_id
         where l.message_id = $1 and not f.replaced
         order by f.path, l.uid
         limit 1`,
        [messageId],
      )
      return rows[0] ?? null
    },

    async findText(
      messageId: string,
      number: number,
    ): Promise<{ text: string; problem: string | null } | null> {
      const { rows } = await db.query<{ text: string; problem: string | null }>(
        'select text, problem from mail_attachment_texts where message_id = $1 and number = $2',
        [messageId, number],
      )
      return rows[0] ?? null
    },

    /** Nothing happens when the message is gone, or the text is there. */
    async saveText(
      messageId: string,
      number: number,
      { text, problem }: { text: string; problem: string | null },
    ): Promise<void> {
      await db.query(
        `insert into mail_attachment_texts (message_id, number, text, problem)
         select id, $2, $3, $4 from mail_messages where id = $1
         on conflict do nothing`,
        [messageId, number, text, problem],
      )
    },
  }
}
