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

type ThreadFilter = {
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
      (array_agg(coalesce(nullif(snippet, ''), left(text, 300)) order by sent_at desc, id desc))[1] as snippet,
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

// How messages come to be of one thread: by the ids that they have and name, and by the subject of an answer that names
// none.

export type NewThread = {
  id: string
  space_id: string
  title: string
  base_subject: string
  headless: boolean
  last_message_at: Date
}

export function createMailJoinsRepo(tx: Queryable) {
  return {
    /** Lets one transaction at a time join threads of the Space; false when there is no such Space. */
    async lockSpace(spaceId: string): Promise<boolean> {
      const { rows } = await tx.query(
        'select id from spaces where id = $1 and deleted_at is null for no key update',
        [spaceId],
      )
      return rows.length > 0
    },

    /** The threads that any of the ids belongs to, the oldest first. */
    async findByReferences(spaceId: string, hashes: readonly Buffer[]): Promise<string[]> {
      const { rows } = await tx.query<{ thread_id: string }>(
        `select distinct thread_id
         from mail_references
         where space_id = $1 and sha256 = any($2::bytea[])
         order by thread_id`,
        [spaceId, hashes],
      )
      return rows.map(({ thread_id }) => thread_id)
    },

    /** The latest thread of a subject in which one of these people wrote or was written to. */
    async findBySubject(
      spaceId: string,
      {
        base_subject,
        people,
        headless,
      }: { base_subject: string; people: readonly string[]; headless: boolean },
    ): Promise<string | null> {
      const { rows } = await tx.query<{ id: string }>(
        `select id
         from mail_threads t
         where space_id = $1 and md5(base_subject) = md5($2) and base_subject = $2 and base_subject <> ''
           and (headless or not $4::boolean)
           and exists (select from mail_messages m where m.thread_id = t.id and m.people && $3::text[])
         order by last_message_at desc
         limit 1`,
        [spaceId, base_subject, people, headless],
      )
      return rows[0]?.id ?? null
    },

    async insert({ id, space_id, title, base_subject, headless, last_message_at }: NewThread): Promise<void> {
      await tx.query(
        `insert into mail_threads (id, space_id, title, base_subject, headless, last_message_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [id, space_id, title, base_subject, headless, last_message_at],
      )
    },

    /** Makes one thread of several. */
    async merge(into: string, others: readonly string[]): Promise<void> {
      await tx.query(
        `update mail_threads
         set headless = headless and (select bool_and(headless) from mail_threads where id = any($2::uuid[]))
         where id = $1`,
        [into, others],
      )
      await tx.query('update mail_messages set thread_id = $1 where thread_id = any($2::uuid[])', [
        into,
        others,
      ])
      await tx.query('update mail_references set thread_id = $1 where thread_id = any($2::uuid[])', [
        into,
        others,
      ])
      await tx.query('delete from mail_threads where id = any($1::uuid[])', [others])
    },

    async addReferences(spaceId: string, threadId: string, hashes: readonly Buffer[]): Promise<void> {
      await tx.query(
        `insert into mail_references (space_id, sha256, thread_id)
         select $1, sha256, $2
         from unnest($3::bytea[]) as sha256
         on conflict do nothing`,
        [spaceId, threadId, hashes],
      )
    },

    /** Makes what threads say of themselves that of their messages; those without any go. */
    async summarize(threadIds: readonly string[]): Promise<void> {
      await tx.query(
        `update mail_threads t
         set messages = found.messages, last_message_at = coalesce(found.latest, t.last_message_at),
             title = coalesce(found.title, t.title),
             version = version + 1, updated_at = now()
         from (
           select id, count(m_id)::integer as messages, max(sent_at) as latest,
             (array_agg(m_title order by sent_at, m_id) filter (where m_id is not null))[1] as title
           from unnest($1::uuid[]) as id
           left join (
             select id as m_id, thread_id, title as m_title, sent_at from mail_messages where deleted_at is null
           ) as m on m.thread_id = id
           group by id
         ) as found
         where t.id = found.id`,
        [threadIds],
      )
      await tx.query(
        `delete from mail_threads t
         where id = any($1::uuid[]) and messages = 0
           and not exists (select from mail_messages m where m.thread_id = t.id)`,
        [threadIds],
      )
    },

    /** Its head is there. */
    async giveHead(threadId: string, baseSubject: string): Promise<void> {
      await tx.query(
        'update mail_threads set headless = false, base_subject = $2 where id = $1 and headless',
        [threadId, baseSubject],
      )
    },
  }
}
