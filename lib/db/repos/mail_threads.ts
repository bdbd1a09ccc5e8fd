import type { MailDirection, MailPerson } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'

export type MailThreadRow = {
  id: string
  space_id: string
  subject: string
  messages: number
  last_message_at: string
  last_direction: MailDirection
  /** Who wrote each of the latest messages, the latest first. */
  people: MailPerson[]
  snippet: string
  unread: boolean
  has_attachments: boolean
}

export type ThreadFilter = {
  space_id: string
  /** Part of a name or an address of who wrote in it; null: anybody. */
  from: string | null
  /** Part of the subject. */
  subject: string | null
}

/** Messages of a thread that its row in a list is made from. */
const maxSummarized = 200

const summary = `t.id, t.space_id, t.title as subject, t.messages, t.last_message_at,
  coalesce(latest.direction, 'received') as last_direction, coalesce(latest.snippet, '') as snippet,
  coalesce(latest.people, '[]') as people, coalesce(latest.has_attachments, false) as has_attachments,
  exists (
    select from mail_messages m
    join mail_places l on l.message_id = m.id
    where m.thread_id = t.id and m.deleted_at is null and m.direction = 'received' and '\\Seen' <> all(l.flags)
  ) as unread`

const latest = `left join lateral (
    select
      (array_agg(direction order by sent_at desc, id desc))[1] as direction,
      (array_agg(left(text, 300) order by sent_at desc, id desc))[1] as snippet,
      json_agg(json_build_object('name', from_name, 'address', from_address) order by sent_at desc, id desc) as people,
      bool_or(attachments <> '[]') as has_attachments
    from (
      select * from mail_messages
      where thread_id = t.id and deleted_at is null
      order by sent_at desc, id desc
      limit ${maxSummarized}
    ) as recent
  ) as latest on true`

const filtered = `t.space_id = $1 and t.messages > 0
   and exists (select from spaces where spaces.id = $1 and deleted_at is null)
   and ($2::text is null or exists (
     select from mail_messages m
     where m.thread_id = t.id and m.deleted_at is null
       and (position(lower($2) in lower(m.from_name)) > 0 or position(lower($2) in lower(m.from_address)) > 0)
   ))
   and ($3::text is null or position(lower($3) in lower(t.title)) > 0)`

export function createMailThreadsRepo(db: Queryable) {
  return {
    /** The latest first, after the one given. */
    async list(
      { space_id, from, subject }: ThreadFilter,
      { before, limit }: { before: string | null; limit: number },
    ): Promise<MailThreadRow[]> {
      const { rows } = await db.query<MailThreadRow>(
        `select ${summary}
         from (
           select t.*
           from mail_threads t
           where ${filtered}
             and ($4::uuid is null or (t.last_message_at, t.id) < (
               select seen.last_message_at, seen.id from mail_threads seen where seen.space_id = $1 and seen.id = $4
             ))
           order by t.last_message_at desc, t.id desc
           limit $5
         ) as t
         ${latest}
         order by t.last_message_at desc, t.id desc`,
        [space_id, from, subject, before, limit],
      )
      return rows
    },

    /** Those of the given messages that the filter lets through, by message. */
    async listOfMessages(
      { space_id, from, subject }: ThreadFilter,
      messageIds: readonly string[],
    ): Promise<(MailThreadRow & { message_id: string })[]> {
      const { rows } = await db.query<MailThreadRow & { message_id: string }>(
        `select m.id as message_id, ${summary}
         from mail_messages m
         join mail_threads t on t.id = m.thread_id
         ${latest}
         where m.id = any($4::uuid[]) and m.space_id = $1 and m.deleted_at is null and ${filtered}`,
        [space_id, from, subject, messageIds],
      )
      return rows
    },

    /** By its own id, or by that of a message in it. Whether in a Space named, or (null) in any. */
    async find(id: string, spaceId: string | null): Promise<MailThreadRow | null> {
      const { rows } = await db.query<MailThreadRow>(
        `select ${summary}
         from mail_threads t
         ${latest}
         where t.id = coalesce((select thread_id from mail_messages where id = $1 and deleted_at is null), $1)
           and t.messages > 0
           and ($2::uuid is null or t.space_id = $2)
           and exists (select from spaces where spaces.id = t.space_id and deleted_at is null)`,
        [id, spaceId],
      )
      return rows[0] ?? null
    },

    /** Whether a Space has mail, or an account for it. */
    async isAny(spaceId: string): Promise<boolean> {
      const { rows } = await db.query<{ any: boolean }>(
        `select exists (select from mail_threads where space_id = $1 and messages > 0)
           or exists (select from mail_accounts where space_id = $1) as any`,
        [spaceId],
      )
      return rows[0]!.any
    },
  }
}
