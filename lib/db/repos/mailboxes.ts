import type { MailFold } from '../../contract/mail.ts'
// What becomes of mail when its account has another mailbox, or when a folder is no longer in it.

import type { MissingFolder } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'

type Missing = Pick<MissingFolder, 'path' | 'messages'>

export function createMailboxesRepo(db: Queryable) {
  return {
    /**
     * Takes all mail from an account: another account that has a message too gets it; of the rest what no import has
     * stays without an account, or is marked as deleted.
     */
    async leave(accountId: string, what: 'keep' | 'delete'): Promise<void> {
      await db.query(
        `update mail_messages m
         set account_id = other.account_id,
             deleted_at = case
               when $2 and other.account_id is null and not imported then now()
               else deleted_at
             end
         from (
           select m.id, (
             select f.account_id
             from mail_locations l
             join mail_folders f on f.id = l.folder_id
             where l.message_id = m.id and f.account_id <> $1
             limit 1
           ) as account_id
           from mail_messages m
           where m.account_id = $1
         ) as other
         where m.id = other.id`,
        [accountId, what === 'delete'],
      )
    },

    /** The folders of an account: nothing of it has been taken in. */
    async removeFolders(accountId: string): Promise<void> {
      await db.query('delete from mail_folders where account_id = $1', [accountId])
    },

    /** Replies of an address that were sent to a mailbox and not answered for: no other one can tell where they are. */
    async forgetMarks(spaceId: string, addresses: readonly string[]): Promise<void> {
      // A UIDVALIDITY is never 0 (RFC 9051, 2.3.1.1).
      await db.query(
        `update reply_deliveries d
         set uid_validity = '0'
         from replies r
         where r.id = d.reply_id and r.space_id = $1 and lower(r.from_address) = any($2::text[])
           and d.state = 'waiting' and d.sent_at is not null`,
        [spaceId, addresses],
      )
    },

    /** The paths of the folders that are read. */
    async listPaths(accountId: string): Promise<string[]> {
      const { rows } = await db.query<{ path: string }>(
        'select path from mail_folders where account_id = $1 and not replaced order by id',
        [accountId],
      )
      return rows.map(({ path }) => path)
    },

    /** Forgets the folders that a server no longer has where others that it has hold all of their messages. */
    async removeMoved(accountId: string, listed: readonly string[]): Promise<void> {
      await db.query(
        `delete from mail_folders gone
         where account_id = $1 and path <> all($2::text[])
           and not exists (
             select from mail_locations l
             where l.folder_id = gone.id and l.message_id is not null
               and not exists (
                 select from mail_locations elsewhere
                 join mail_folders f on f.id = elsewhere.folder_id
                 where elsewhere.message_id = l.message_id
                   and f.account_id = $1 and f.path = any($2::text[])
               )
           )`,
        [accountId, listed],
      )
    },

    /** The folders with mail that a server no longer has. */
    async listMissing(accountId: string, listed: readonly string[]): Promise<Missing[]> {
      const { rows } = await db.query<Missing>(
        `select f.path, count(distinct l.message_id)::integer as messages
         from mail_folders f
         join mail_locations l on l.folder_id = f.id
         where f.account_id = $1 and f.path <> all($2::text[]) and l.message_id is not null
         group by f.path
         order by f.path
         limit 100`,
        [accountId, listed],
      )
      return rows
    },

    /** How many messages of these fingerprints a folder holds. */
    async countHeld(accountId: string, path: string, fingerprints: readonly string[]): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(distinct m.id)::integer as count
         from mail_messages m
         join mail_locations l on l.message_id = m.id
         join mail_folders f on f.id = l.folder_id
         where f.account_id = $1 and f.path = $2 and m.fingerprint = any($3::bytea[])`,
        [accountId, path, fingerprints.map((each) => Buffer.from(each, 'base64'))],
      )
      return rows[0]!.count
    },

    /** What a folder held counts until another one is complete. */
    async replaceFolder(accountId: string, path: string, by: string): Promise<void> {
      await db.query(
        'update mail_folders set complete = false where account_id = $1 and path = $2 and not replaced',
        [accountId, by],
      )
      await db.query(
        'update mail_folders set path = $3, replaced = true where account_id = $1 and path = $2',
        [accountId, path, by],
      )
    },

    /** Forgets a folder. What it alone holds stays without an account, or is left to be deleted as lost. */
    async leaveFolder(accountId: string, path: string, what: 'keep' | 'delete'): Promise<void> {
      if (what === 'keep') {
        await db.query(
          `update mail_messages m
           set account_id = null
           where account_id = $1
             and exists (
               select from mail_locations l
               join mail_folders f on f.id = l.folder_id
               where l.message_id = m.id and f.account_id = $1 and f.path = $2
             )
             and not exists (
               select from mail_locations l
               join mail_folders f on f.id = l.folder_id
               where l.message_id = m.id and (f.account_id, f.path) <> ($1, $2)
             )`,
          [accountId, path],
        )
      }
      await db.query('delete from mail_folders where account_id = $1 and path = $2', [accountId, path])
    },
  }
}

// Mail that an earlier release read.

type RereadMessage = {
  text: string
  folds: MailFold[]
  snippet: string
  automated: boolean
  /** Base64. */
  fingerprint: string
  reading: number
}

export function createMailRereadsRepo(db: Queryable) {
  return {
    /** Some that an earlier reading stored, after the id given, with their originals. */
    async listOutdated(
      reading: number,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ id: string; bytes: Buffer }[]> {
      const { rows } = await db.query<{ id: string; bytes: Buffer }>(
        `select m.id, o.bytes
         from mail_messages m
         join mail_originals o on o.message_id = m.id
         where m.reading < $1 and m.deleted_at is null and ($2::uuid is null or m.id > $2)
         order by m.id
         limit $3`,
        [reading, after, limit],
      )
      return rows
    },

    /** Replaces what was read of a message, if an earlier reading read it. It keeps its fingerprint where another has the new one. */
    async reread(
      id: string,
      { text, folds, snippet, automated, fingerprint, reading }: RereadMessage,
    ): Promise<void> {
      await db.query(
        `update mail_messages m
         set text = $2, folds = $3, snippet = $4, automated = $5, reading = $6,
           fingerprint = case
             when exists (
               select from mail_messages o
               where o.space_id = m.space_id and o.fingerprint = $7::bytea and o.id <> m.id
             ) then m.fingerprint
             else $7::bytea
           end
         where id = $1 and reading < $6`,
        [id, text, JSON.stringify(folds), snippet, automated, reading, Buffer.from(fingerprint, 'base64')],
      )
    },
  }
}
