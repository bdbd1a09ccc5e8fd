// The folders of an account as they were when they were last looked at, and what lies in them.

import type { MailAttachment } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'
import type { KnownMessage } from './mail_messages.ts'

export type MailFolderRow = {
  id: string
  account_id: string
  path: string
  uid_validity: string | null
  uid_next: string | null
  highest_modseq: string | null
  complete: boolean
}

type FolderStatus = { uid_validity: string; uid_next: string; highest_modseq: string | null }

const columns = `id, account_id, path, uid_validity::text as uid_validity, uid_next::text as uid_next, highest_modseq, complete`

export function createMailFoldersRepo(db: Queryable) {
  return {
    /** The folder of that path; made where there is none. */
    async open(folder: { id: string; account_id: string; path: string }): Promise<MailFolderRow> {
      await db.query(
        `insert into mail_folders (id, account_id, path)
         values ($1, $2, $3)
         on conflict (account_id, path) where not replaced do nothing`,
        [folder.id, folder.account_id, folder.path],
      )
      const { rows } = await db.query<MailFolderRow>(
        `select ${columns} from mail_folders where account_id = $1 and path = $2 and not replaced`,
        [folder.account_id, folder.path],
      )
      return rows[0]!
    },

    async begin(id: string, uidValidity: string): Promise<void> {
      await db.query('update mail_folders set uid_validity = $2 where id = $1', [id, uidValidity])
    },

    /** Its numbers mean nothing any more; what they stood for counts until the new folder is complete. */
    async replace(id: string): Promise<void> {
      await db.query('update mail_folders set replaced = true where id = $1', [id])
    },

    /** Notes that all is taken in, up to a state of the server; what the folder replaced goes. */
    async finish(id: string, { uid_validity, uid_next, highest_modseq }: FolderStatus): Promise<void> {
      await db.query(
        `update mail_folders
         set uid_validity = $2, uid_next = $3, highest_modseq = $4, complete = true
         where id = $1`,
        [id, uid_validity, uid_next, highest_modseq],
      )
      await db.query(
        `delete from mail_folders old
         using mail_folders now
         where now.id = $1 and old.account_id = now.account_id and old.path = now.path and old.replaced`,
        [id],
      )
    },

    /** Folders that the server has and that are no longer read. */
    async removeUnread(
      accountId: string,
      { listed, read }: { listed: readonly string[]; read: readonly string[] },
    ): Promise<void> {
      await db.query(
        `delete from mail_folders
         where account_id = $1 and path = any($2::text[]) and path <> all($3::text[])`,
        [accountId, listed, read],
      )
    },

    /** In ascending order, from a number on. */
    async listUids(folderId: string, from = '1'): Promise<number[]> {
      const { rows } = await db.query<{ uids: number[] }>(
        `select coalesce(array_agg(uid::float8 order by uid), '{}') as uids
         from mail_locations
         where folder_id = $1 and uid >= $2::bigint`,
        [folderId, from],
      )
      return rows[0]!.uids
    },

    async countUids(folderId: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::integer as count from mail_locations where folder_id = $1',
        [folderId],
      )
      return rows[0]!.count
    },

    async addLocations(folderId: string, locations: readonly NewLocation[]): Promise<void> {
      await db.query(
        `insert into mail_locations (folder_id, uid, message_id, flags, problem)
         select $1, uid, message_id, array(select json_array_elements_text(flags)), problem
         from json_to_recordset($2::json) as given (uid bigint, message_id uuid, flags json, problem text)
         on conflict (folder_id, uid) do nothing`,
        [folderId, JSON.stringify(locations)],
      )
    },

    async removeLocations(folderId: string, uids: readonly number[]): Promise<void> {
      await db.query('delete from mail_locations where folder_id = $1 and uid = any($2::bigint[])', [
        folderId,
        uids,
      ])
    },

    /** Messages of an account that could not be read: they are missing again. */
    async removeUnreadable(accountId: string): Promise<void> {
      await db.query(
        `delete from mail_locations
         using mail_folders
         where mail_folders.account_id = $1 and folder_id = mail_folders.id and problem is not null`,
        [accountId],
      )
    },

    /** How many had other flags. */
    async setFlags(folderId: string, flags: readonly { uid: number; flags: string[] }[]): Promise<number> {
      const { rows } = await db.query(
        `update mail_locations
         set flags = given.flags
         from (
           select uid, array(select json_array_elements_text(flags)) as flags
           from json_to_recordset($2::json) as given (uid bigint, flags json)
         ) as given
         where folder_id = $1 and mail_locations.uid = given.uid and mail_locations.flags <> given.flags
         returning 1`,
        [folderId, JSON.stringify(flags)],
      )
      return rows.length
    },
  }
}

export type NewLocation = {
  uid: number
  message_id: string | null
  flags: string[]
  problem: string | null
}

export type MessageOfId = KnownMessage & {
  message_id: string
  /** In lower case. */
  from_address: string
  sent_at: string
}

/** What imports say of messages. */
export function createMailImportsRepo(db: Queryable) {
  return {
    /** Those with these Message-IDs, deleted ones included. */
    async listByMessageIds(
      spaceId: string,
      ids: readonly string[],
      before: number | null = null,
    ): Promise<MessageOfId[]> {
      const { rows } = await db.query<MessageOfId>(
        `select id, thread_id, deleted_at is not null as deleted, message_id, lower(from_address) as from_address, sent_at
         from mail_messages
         where space_id = $1 and message_id = any($2::text[]) and ($3::integer is null or reading < $3)
         order by id`,
        [spaceId, ids, before],
      )
      return rows
    },

    /** Where an import found a message, and how it was marked there. */
    async savePlaces(
      id: string,
      places: readonly { folder: string; flags: readonly string[] }[],
    ): Promise<void> {
      if (places.length === 0) return
      const byFolder = [...new Map(places.map((place) => [place.folder, place])).values()]
      await db.query(
        `insert into mail_imported_places (message_id, folder, flags)
         select $1, folder, array(select json_array_elements_text(flags))
         from json_to_recordset($2::json) as given (folder text, flags json)
         on conflict (message_id, folder) do update set flags = excluded.flags`,
        [id, JSON.stringify(byFolder)],
      )
    },

    /** Takes an import of a message back: it is deleted unless a server has it. Null: no import has it any more. */
    async undo(spaceId: string, id: string): Promise<{ thread_id: string; removed: boolean } | null> {
      await db.query('delete from mail_imported_places where message_id = $1', [id])
      const { rows } = await db.query<{ thread_id: string; removed: boolean }>(
        `update mail_messages m
         set imported = false,
             deleted_at = case when not exists (select from mail_locations l where l.message_id = m.id) then now() end
         where space_id = $1 and id = $2 and imported and deleted_at is null
         returning thread_id, deleted_at is not null as removed`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },
  }
}

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
