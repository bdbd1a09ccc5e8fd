// What is made of texts and follows them: the data of pages, and what the search index does not hold as it is now
// (entities without passages, with those of another analysis or weighed for another average length, and conversations in
// which something was said since).

import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import type { Queryable } from '../pool.ts'
import { isShown, seqOf } from './messages.ts'

export type PageData = {
  page_id: string
  space_id: string
  version: number
  reading: number
  /** In the form in which they are compared, and as they are written, in the same order. */
  tags: string[]
  tag_names: string[]
  properties: Record<string, unknown>
}

export type TagCount = { tag: string; name: string; count: number }

export type KnownProperty = { key: string; name: string; types: string[]; count: number }

/** What the texts of pages hold as data. */
export function createPagePropertiesRepo(db: Queryable) {
  return {
    async store({
      page_id,
      space_id,
      version,
      reading,
      tags,
      tag_names,
      properties,
    }: PageData): Promise<void> {
      await db.query(
        `insert into page_properties (page_id, space_id, version, reading, tags, tag_names, properties)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (page_id) do update
         set version = excluded.version, reading = excluded.reading, tags = excluded.tags,
           tag_names = excluded.tag_names, properties = excluded.properties`,
        [page_id, space_id, version, reading, tags, tag_names, JSON.stringify(properties)],
      )
    },

    async remove(spaceId: string, pageId: string): Promise<void> {
      await db.query('delete from page_properties where space_id = $1 and page_id = $2', [spaceId, pageId])
    },

    /** Pages whose data is not that of their text, in the order of their ids, from after one on. */
    async listUnread(
      reading: number,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `select pages.id
         from pages
         left join page_properties data on data.page_id = pages.id
         where pages.deleted_at is null
           and ($2::uuid is null or pages.id > $2)
           and (data.page_id is null or data.reading <> $1 or data.version <> pages.version)
         order by pages.id
         limit $3`,
        [reading, after, limit],
      )
      return rows.map(({ id }) => id)
    },

    /** The tags of a Space and how many pages have each, or one nested in it; by name, at most `limit`. */
    async listTags(spaceId: string, limit: number): Promise<TagCount[]> {
      const { rows } = await db.query<TagCount>(
        `select one.tag, (array_agg(one.name order by page_id))[1] as name, count(*)::integer as count
         from page_properties
         cross join lateral unnest(tags, tag_names) as one (tag, name)
         where space_id = $1
         group by one.tag
         order by one.tag collate "C"
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    /** The properties that pages of a Space have, those of most pages first. */
    async listNames(spaceId: string, limit: number): Promise<KnownProperty[]> {
      const { rows } = await db.query<KnownProperty>(
        `select one.key, (array_agg(one.value ->> 'name' order by page_id))[1] as name,
                array_agg(distinct one.value ->> 'type') as types, count(*)::integer as count
         from page_properties
         cross join lateral jsonb_each(properties) as one (key, value)
         where space_id = $1 and one.key not in ('file.name', 'file.tags')
         group by one.key
         order by count(*) desc, one.key collate "C"
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },
  }
}

type Unindexed = { analysis: string; after: string | null; limit: number }

/** Entities of a kind in the order of their ids, from after one on; every one with `all`. */
export async function listUnindexed(
  db: Queryable,
  kind: Kind,
  { analysis, after, limit, all }: Unindexed & { all: boolean },
): Promise<{ id: string; space_id: string }[]> {
  const { rows } = await db.query<{ id: string; space_id: string }>(
    `select id, space_id
     from ${kind.table}
     where deleted_at is null
       and ($2::uuid is null or id > $2)
       and ($4::boolean or not exists (
         select from chunks
         where chunks.entity_id = ${kind.table}.id and chunks.ordinal = 0 and chunks.analysis = $1
           and chunks.average_length = average_length(chunks.space_id, chunks.entity_type)
       ))
     order by id
     limit $3`,
    [analysis, after, limit, all],
  )
  return rows
}

/** How many there are of all kinds. */
export async function countUnindexed(
  db: Queryable,
  kinds: readonly Kind[],
  analysis: string,
): Promise<number> {
  const each = kinds.map(
    ({ table }) => `select count(*) as count
     from ${table}
     where deleted_at is null
       and not exists (
         select from chunks
         where chunks.entity_id = ${table}.id and chunks.ordinal = 0 and chunks.analysis = $1
           and chunks.average_length = average_length(chunks.space_id, chunks.entity_type)
       )`,
  )
  const { rows } = await db.query<{ count: number }>(
    `select sum(count)::integer as count
     from (${each.join(' union all ')}) as kinds`,
    [analysis],
  )
  return rows[0]?.count ?? 0
}

/** The row as it is now, locked so that nobody else changes or indexes it meanwhile. */
export async function lockForIndex(tx: Queryable, kind: Kind, id: string): Promise<EntityRow | null> {
  const { rows } = await tx.query<EntityRow>(
    `select *
     from ${kind.table}
     where id = $1 and deleted_at is null
     for no key update`,
    [id],
  )
  return rows[0] ?? null
}

/** The version of an entity, which stays so until the transaction ends; null when it is deleted. */
export async function lockVersion(tx: Queryable, kind: Kind, id: string): Promise<number | null> {
  const { rows } = await tx.query<{ version: number }>(
    `select version
     from ${kind.table}
     where id = $1 and deleted_at is null
     for no key update`,
    [id],
  )
  return rows[0]?.version ?? null
}

export type UnindexedConversation = { id: string; space_id: string; title: string; upto: string }

type QuietConversations = {
  analysis: string
  /** Earliest time of the last activity. Default: any. */
  active_since?: Date | null
  quiet_since: Date
  limit: number
}

/** Imported since all were looked at: what was said in it may be years old. */
const isNewImport =
  'i.conversation_id is null and exists (select from imported_conversations where conversation_id = c.id)'

/** Conversations, quiet since a time, of which the index knows less or something else; the longest quiet first. */
export async function listUnindexedConversations(
  db: Queryable,
  { analysis, active_since, quiet_since, limit }: QuietConversations,
): Promise<UnindexedConversation[]> {
  const { rows } = await db.query<UnindexedConversation>(
    `select c.id, c.space_id, c.title, said.id as upto
     from conversations c
     cross join lateral (
       select id
       from messages
       where conversation_id = c.id and ${isShown}
       order by seq desc
       limit 1
     ) as said
     left join indexed_conversations i on i.conversation_id = c.id
     where c.deleted_at is null
       and c.last_activity_at <= $2 ${active_since ? `and (c.last_activity_at > $4 or ${isNewImport})` : ''}
       and (i.upto is distinct from said.id or i.title <> c.title or i.analysis <> $1
         or i.average_length <> average_length(c.space_id, 'conversation'))
     order by c.last_activity_at
     limit $3`,
    [analysis, quiet_since, limit, ...(active_since ? [active_since] : [])],
  )
  return rows
}

/** What was said, in order, and by whom: the name of an agent, '' for the owner. */
export async function listSaid(
  tx: Queryable,
  conversationId: string,
  upto: string,
): Promise<{ speaker: string; text: string }[]> {
  const { rows } = await tx.query<{ speaker: string; text: string }>(
    `select body as text, case role
         when 'assistant' then coalesce(initcap(imported.product), a.name, '')
         else ''
       end as speaker
     from messages
     join conversations c on c.id = conversation_id
     left join agents a on a.id = coalesce(messages.agent_id, c.agent_id)
     left join imported_conversations imported on imported.conversation_id = c.id
     where messages.conversation_id = $1 and seq <= ${seqOf('$2')} and ${isShown}
     order by seq`,
    [conversationId, upto],
  )
  return rows
}

/** Notes what is indexed of a conversation; false when it was deleted meanwhile, and nothing should be. */
export async function storeIndexedConversation(
  tx: Queryable,
  { id, title, upto }: UnindexedConversation,
  analysis: string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into indexed_conversations (conversation_id, title, upto, analysis, average_length)
     select id, $2, $3, $4, average_length(space_id, 'conversation')
     from conversations
     where id = $1 and deleted_at is null
     for share
     on conflict (conversation_id) do update
     set title = excluded.title, upto = excluded.upto, analysis = excluded.analysis,
       average_length = excluded.average_length
     returning conversation_id`,
    [id, title, upto, analysis],
  )
  return rows.length > 0
}

/** Deletes passages of what is no more; how many. */
export async function deleteOrphans(db: Queryable, kinds: readonly Kind[]): Promise<number> {
  const living = kinds.map(({ table }) => `select id from ${table} where deleted_at is null`)
  const { rows } = await db.query(
    `delete from chunks
     where entity_id not in (
       ${[...living, 'select id from conversations where deleted_at is null'].join(' union all ')}
     )
     returning 1`,
  )
  return rows.length
}
