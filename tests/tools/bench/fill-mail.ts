import { v7 as uuid } from 'uuid'
import { createMailFoldersRepo } from '../../../lib/db/repos/mail_folders.ts'
import { analyzeFilledTables } from '../../../lib/db/repos/maintenance.ts'
import { parseMessages } from '../../../lib/outside/mail/message/parse-messages.ts'
import { storeMessages } from '../../../lib/outside/mail/store/store-messages.ts'
import type { OpenStore } from './open-store.ts'

const batch = 25

/** Stores messages as an import does. */
export async function storeMail(
  { deps: { database, search } }: OpenStore,
  space_id: string,
  raw: readonly Buffer[],
): Promise<void> {
  for (let at = 0; at < raw.length; at += batch) {
    const parsed = await parseMessages({ messages: raw.slice(at, at + batch) })
    const received_at = new Date()
    const messages = parsed.map((one) => ({
      parsed: one!,
      received_at,
      whole: true,
      provider_thread: null,
    }))
    await database.transaction((tx) => storeMessages(tx, search, { space_id, account_id: null, messages }))
  }
  await analyzeFilledTables(database)
}

/** Adds the mail of a Space to it so many times again, in threads of their own subjects, which no search finds. */
export async function copyMail(
  { deps: { database } }: OpenStore,
  space_id: string,
  copies: number,
): Promise<void> {
  const numbers = `generate_series(1, ${copies}) as n`
  await database.transaction(async (tx) => {
    await tx.query(`create temporary table mail_to_copy on commit drop as
      select id from mail_threads where space_id = '${space_id}'`)
    await tx.query(`
      insert into mail_threads (id, space_id, title, base_subject, headless, messages, last_message_at)
      select ${copyOf('t.id')}, space_id, title || ' (' || n || ')', base_subject || ' (' || n || ')', headless,
        messages, last_message_at - n * interval '1 minute'
      from mail_threads t join mail_to_copy using (id), ${numbers}`)
    await tx.query(`
      insert into mail_messages (id, space_id, thread_id, fingerprint, message_id, title, sent_at, updated_at,
        direction, from_name, from_address, recipients, cc, people, text, attachments, automated, imported)
      select ${copyOf('m.id')}, space_id, ${copyOf('thread_id')},
        sha256((m.id::text || n)::bytea), n || message_id, title, sent_at, updated_at, direction, from_name, from_address,
        recipients, cc, people, text, attachments, automated, imported
      from mail_messages m join mail_to_copy t on t.id = m.thread_id, ${numbers}`)
  })
  await analyzeFilledTables(database)
}

/** Puts all messages of the Space into a folder of the account, none of them answered. */
export async function placeMail(
  { deps: { database } }: OpenStore,
  { space_id, account_id }: { space_id: string; account_id: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const repo = createMailFoldersRepo(tx)
    const { id } = await repo.open({ id: uuid(), account_id, path: 'INBOX' })
    await tx.query('delete from mail_locations where folder_id = $1', [id])
    await tx.query(
      `insert into mail_locations (folder_id, uid, message_id, flags)
       select $1, row_number() over (order by sent_at, id), id, '{"\\\\Seen"}' from mail_messages where space_id = $2`,
      [id, space_id],
    )
  })
  await analyzeFilledTables(database)
}

/** The id of a copy, which is a UUID of version 8. */
const copyOf = (id: string) =>
  `overlay(overlay(md5(${id}::text || n) placing '8' from 13) placing '8' from 17)::uuid`
