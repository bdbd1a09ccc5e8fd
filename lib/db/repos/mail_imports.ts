import type { Queryable } from '../pool.ts'
import type { KnownMessage } from './mail_messages.ts'

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
    async listByMessageIds(spaceId: string, ids: readonly string[]): Promise<MessageOfId[]> {
      const { rows } = await db.query<MessageOfId>(
        `select id, thread_id, deleted_at is not null as deleted, message_id, lower(from_address) as from_address, sent_at
         from mail_messages
         where space_id = $1 and message_id = any($2::text[])
         order by id`,
        [spaceId, ids],
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
