// What the glance has to know of mail: which threads a subject and a sender could mean, and who is who.

import type { Queryable } from '../pool.ts'

export type AlikeThread = {
  id: string
  base_subject: string
  /** Who wrote what was received in it. */
  senders: { name: string; address: string }[]
}

export type LatestThread = AlikeThread & { title: string; messages: number; last_message_at: string }

const senders = `(
  select coalesce(json_agg(distinct jsonb_build_object('name', from_name, 'address', from_address)), '[]')
  from (
    select from_name, from_address from mail_messages m
    where m.thread_id = t.id and m.deleted_at is null and m.direction = 'received'
    order by sent_at desc
    limit 200
  ) as latest
) as senders`

/** Threads that are compared. */
const maxThreads = 50

export function createGlanceMailRepo(db: Queryable) {
  return {
    /** Spaces with mail that was received and stored since it was last looked at. */
    async listWithNewMail(limit: number): Promise<string[]> {
      const { rows } = await db.query<{ space_id: string }>(
        `select s.space_id
         from glance_settings s
         where mode <> 'off' and (snoozed_until is null or snoozed_until <= now())
           and exists (select from spaces where spaces.id = s.space_id and spaces.deleted_at is null)
           and exists (
             select from mail_messages m
             where m.space_id = s.space_id and m.direction = 'received'
               -- Times are read to the millisecond.
               and m.created_at >= s.mail_seen_at + interval '1 millisecond'
           )
         limit $1`,
        [limit],
      )
      return rows.map(({ space_id }) => space_id)
    },

    /** Threads of that subject, without `Re:` and its like. */
    async listAlike(spaceId: string, baseSubject: string): Promise<AlikeThread[]> {
      const { rows } = await db.query<AlikeThread>(
        `select id, base_subject, ${senders}
         from mail_threads t
         where space_id = $1 and messages > 0
           and md5(base_subject) = md5($2) and base_subject = $2 and base_subject <> ''
         order by last_message_at desc
         limit ${maxThreads}`,
        [spaceId, baseSubject],
      )
      return rows
    },

    /** Threads whose subject begins so. */
    async listBeginning(spaceId: string, beginning: string): Promise<AlikeThread[]> {
      const { rows } = await db.query<AlikeThread>(
        `select id, base_subject, ${senders}
         from mail_threads t
         where space_id = $1 and messages > 0 and starts_with(base_subject, $2)
         order by last_message_at desc
         limit ${maxThreads}`,
        [spaceId, beginning],
      )
      return rows
    },

    /** The latest threads, with who wrote in them. */
    async listLatest(spaceId: string, limit: number): Promise<LatestThread[]> {
      const { rows } = await db.query<LatestThread>(
        `select id, base_subject, title, messages, last_message_at, ${senders}
         from (
           select * from mail_threads
           where space_id = $1 and messages > 0
           order by last_message_at desc, id desc
           limit $2
         ) as t`,
        [spaceId, limit],
      )
      return rows
    },

    /** By its own id, or by that of a message in it. */
    async find(
      spaceId: string,
      id: string,
    ): Promise<Pick<LatestThread, 'id' | 'base_subject' | 'title' | 'messages' | 'last_message_at'> | null> {
      const { rows } = await db.query<LatestThread>(
        `select id, base_subject, title, messages, last_message_at
         from mail_threads
         where space_id = $1 and messages > 0
           and id = coalesce(
             (select thread_id from mail_messages where id = $2 and space_id = $1 and deleted_at is null), $2
           )`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /**
     * The first and the last, by the alphabet, of the addresses that have used each name of those who wrote the latest
     * messages of a thread; in lower case.
     */
    async addressesOf(
      spaceId: string,
      threadId: string,
      limit: number,
    ): Promise<{ name: string; address: string }[]> {
      const end = (which: 'min' | 'max') => `(
        select ${which}(lower(from_address)) from mail_messages
        where space_id = $1 and lower(from_name) = name and deleted_at is null
      )`
      const { rows } = await db.query<{ name: string; address: string }>(
        `select name, address
         from (
           select distinct lower(from_name) as name
           from (
             select from_name, direction from mail_messages
             where thread_id = $2 and deleted_at is null
             order by sent_at desc, id desc
             limit $3
           ) as latest
           where direction = 'received' and from_name <> ''
         ) as names, unnest(array[${end('min')}, ${end('max')}]) as address
         where address is not null`,
        [spaceId, threadId, limit],
      )
      return rows
    },

    /**
     * Whether a draft about the thread, a message of it, or a reply to one waits for the owner; or a reply that they
     * approved since the latest message that was received.
     */
    async hasDraft(spaceId: string, threadId: string): Promise<boolean> {
      const { rows } = await db.query<{ has: boolean }>(
        `with messages as (
           select id, direction, sent_at from mail_messages where thread_id = $2 and deleted_at is null
         )
         select exists (
           select from pending_changes p
           where p.space_id = $1 and p.status = 'pending'
             and (p.entity_id = $2 or p.entity_id in (select id from messages))
         ) or exists (
           select from pending_changes p
           where p.space_id = $1 and p.status = 'pending' and p.entity_type = 'reply'
             and p.payload::json ->> 'answers_id' in (select id::text from messages)
         ) or exists (
           select from replies r
           where r.space_id = $1 and r.answers_id in (select id from messages)
             and r.created_at > (select max(sent_at) from messages where direction = 'received')
         ) as has`,
        [spaceId, threadId],
      )
      return rows[0]!.has
    },

    /** Threads with mail that was received from a person and stored after a time; sent not long before. */
    async listNew(
      spaceId: string,
      { after, sentAfter, limit }: { after: string; sentAfter: Date; limit: number },
    ): Promise<{ thread_id: string; created_at: string }[]> {
      const { rows } = await db.query<{ thread_id: string; created_at: string }>(
        `select thread_id, max(created_at) as created_at
         from mail_messages
         where space_id = $1 and direction = 'received' and not automated and deleted_at is null
           and created_at >= $2::timestamptz + interval '1 millisecond' and sent_at > $3
         group by thread_id
         order by max(sent_at) desc
         limit $4`,
        [spaceId, after, sentAfter, limit],
      )
      return rows
    },

    /** When the latest was stored that was received. */
    async lastStored(spaceId: string): Promise<string | null> {
      const { rows } = await db.query<{ at: string | null }>(
        `select max(created_at) as at from mail_messages where space_id = $1 and direction = 'received'`,
        [spaceId],
      )
      return rows[0]!.at
    },
  }
}
