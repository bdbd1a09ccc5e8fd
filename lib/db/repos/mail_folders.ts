// The folders of an account as they were when they were last looked at, and what lies in them.

import type { Queryable } from '../pool.ts'

export type MailFolderRow = {
  id: string
  account_id: string
  path: string
  uid_validity: string | null
  uid_next: string | null
  highest_modseq: string | null
  complete: boolean
}

export type FolderStatus = { uid_validity: string; uid_next: string; highest_modseq: string | null }

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

    /** Folders that are no longer read. */
    async removeOthers(accountId: string, paths: readonly string[]): Promise<void> {
      await db.query('delete from mail_folders where account_id = $1 and path <> all($2::text[])', [
        accountId,
        paths,
      ])
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
