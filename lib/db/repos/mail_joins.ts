// How messages come to be of one thread: by the ids that they have and name, and by the subject of an answer that names
// none.

import type { Queryable } from '../pool.ts'

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
