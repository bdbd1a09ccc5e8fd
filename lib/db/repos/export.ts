import type { Queryable } from '../pool.ts'
import { isShown } from './messages.ts'

/** What a Space holds besides its entities, each named as the lines of an export are. */
export const recordTypes = [
  'conversation',
  'message',
  'conversation_attachment',
  'pending_change',
  'research_run',
  'mail_message',
  'audit',
] as const

type RecordType = (typeof recordTypes)[number]

type ExportPage = {
  space_id: string
  /** Deleted conversations and what was said in them, too. */
  trash: boolean
  /** The key of the last row before; `null` at the start. */
  after: string | null
  limit: number
}

/** Rows in the order of their keys, page by page, as they are stored. */
export function createExportRepo(db: Queryable) {
  return {
    /** Every row has the key that the next page begins after, as `key`. */
    async list(
      type: RecordType,
      { space_id, trash, after, limit }: ExportPage,
    ): Promise<(Record<string, unknown> & { key: string })[]> {
      const { rows } = await db.query<Record<string, unknown> & { key: string }>(
        `${queries[type]}
         limit $4`,
        [space_id, trash, after, limit],
      )
      return rows
    },
  }
}

const queries: Record<RecordType, string> = {
  conversation: `select id as key, id, agent_id, title, titled_by, summary, status, created_by, started_at,
      last_activity_at, deleted_at,
      (select product from imported_conversations where conversation_id = conversations.id) as imported_from
    from conversations
    where space_id = $1 and ($2 or deleted_at is null) and ($3::uuid is null or id > $3::uuid)
    order by id`,

  message: `select messages.seq::text as key, messages.id, conversation_id, turn_id, role, body, messages.agent_id, metadata,
      created_at, not ${isShown} as put_aside
    from messages
    join conversations on conversations.id = messages.conversation_id
    where space_id = $1 and ($2 or deleted_at is null) and ($3::bigint is null or messages.seq > $3::bigint)
    order by messages.seq`,

  conversation_attachment: `select conversation_id || ' ' || kept.id as key, kept.id, conversation_id, turn_id, mime,
      replace(encode(bytes, 'base64'), E'\\n', '') as base64, kept.created_at
    from conversation_attachments as kept
    join conversations on conversations.id = conversation_id
    where space_id = $1 and ($2 or deleted_at is null)
      and ($3::text is null or (conversation_id, kept.id) > (split_part($3, ' ', 1)::uuid, split_part($3, ' ', 2)::uuid))
    order by conversation_id, kept.id`,

  // The payload is the very text that was hashed.
  pending_change: `select id as key, id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type,
      entity_id, action, payload, payload_sha256, base_version, reason, provenance, status, created_at, decided_at,
      decided_by, decision, result_version, derivation, supersedes, superseded_by, conflicts
    from pending_changes
    where space_id = $1 and ($2 or true) and ($3::uuid is null or id > $3::uuid)
    order by id`,

  research_run: `select run.id as key, run.id, conversation_id, run.agent_id, first_turn_id, previous_id, run.title, question, depth,
      run.labels, run.status, outcome, plan, budget_usd, budget_tokens, verification, answer, run.summary, pending_change_id,
      error, archived_at, created_at, updated_at, finished_at, (
        select coalesce(json_agg(passage order by passage.position), '[]'::json)
        from (
          select n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted, heading, address, earlier,
            sub_questions, quotes
          from research_evidence
          where run_id = run.id
        ) as passage
      ) as evidence, (
        select coalesce(json_agg(claim order by claim.position), '[]'::json)
        from (
          select id, position, section, text, cites, verdict, reasons, sentences, against, judge
          from research_claims
          where run_id = run.id
        ) as claim
      ) as claims
    from research_runs run
    join conversations on conversations.id = run.conversation_id
    where run.space_id = $1 and ($2 or conversations.deleted_at is null) and ($3::uuid is null or run.id > $3::uuid)
    order by run.id`,

  mail_message: `select id as key, id, thread_id, account_id, message_id, title, sent_at, direction, from_name, from_address,
      recipients, cc, text, attachments, automated, imported
    from mail_messages
    where space_id = $1 and ($2 or true) and deleted_at is null and ($3::uuid is null or id > $3::uuid)
    order by id`,

  // Before and after are the very texts that were hashed.
  audit: `select seq::text as key, seq, at, actor, action, entity_type, entity_id, version, before, after,
      pending_change_id, undoes, undoes_since, previous_hash, hash
    from audit_log
    where space_id = $1 and ($2 or true) and ($3::bigint is null or seq > $3::bigint)
    order by seq`,
}

export type PageFileRow = {
  id: string
  title: string
  path: string | null
  position: number
  /** Whether it has a text. */
  has_text: boolean
}

export type DocumentRow = {
  id: string
  title: string
  path: string | null
  mime: string
  metadata: Record<string, unknown>
  created_at: string
  updated_at: string
  has_original: boolean
}

export type MailFileRow = {
  id: string
  title: string
  sent_at: string
  sent: boolean
  places: { folder: string; flags: string[] }[]
}

/** What an export reads besides the rows themselves. */
export function createVaultExportRepo(db: Queryable) {
  return {
    /** Every page. */
    async listPages(spaceId: string): Promise<PageFileRow[]> {
      const { rows } = await db.query<PageFileRow>(
        `select id, title, path, position, body <> '' as has_text
         from pages
         where space_id = $1 and deleted_at is null
         order by id`,
        [spaceId],
      )
      return rows
    },

    /** The bytes that imported notes had, with the hash of the text that they are of. */
    async listOriginals(
      spaceId: string,
      ids: readonly string[],
    ): Promise<{ id: string; bytes: Buffer; original_of: string }[]> {
      const { rows } = await db.query<{ id: string; bytes: Buffer; original_of: string }>(
        `select id, original as bytes, original_of
         from pages
         where space_id = $1 and id = any($2) and original is not null`,
        [spaceId, ids],
      )
      return rows
    },

    async listProjects(spaceId: string): Promise<{ id: string; title: string }[]> {
      const { rows } = await db.query<{ id: string; title: string }>(
        'select id, title from projects where space_id = $1 and deleted_at is null order by id',
        [spaceId],
      )
      return rows
    },

    /** Every research run, oldest first. */
    async listResearch(spaceId: string): Promise<{ id: string; title: string }[]> {
      const { rows } = await db.query<{ id: string; title: string }>(
        'select id, title from research_runs where space_id = $1 order by id',
        [spaceId],
      )
      return rows
    },

    /** Every message, with the folders that it lies in, or did when it was imported. */
    async listMail(spaceId: string): Promise<MailFileRow[]> {
      const { rows } = await db.query<MailFileRow>(
        `select m.id, m.title, m.sent_at, m.direction = 'sent' as sent,
           coalesce(
             (
               select json_agg(json_build_object('folder', f.path, 'flags', l.flags) order by f.path, l.uid)
               from mail_locations l
               join mail_folders f on f.id = l.folder_id
               where l.message_id = m.id
             ),
             (
               select json_agg(json_build_object('folder', p.folder, 'flags', p.flags) order by p.folder)
               from mail_imported_places p
               where p.message_id = m.id
             ),
             '[]'
           ) as places
         from mail_messages m
         where m.space_id = $1 and m.deleted_at is null
         order by m.sent_at, m.id`,
        [spaceId],
      )
      return rows
    },

    /** Every source document, without text and bytes. */
    async listDocuments(spaceId: string): Promise<DocumentRow[]> {
      const { rows } = await db.query<DocumentRow>(
        `select id, title, path, mime, metadata, created_at, updated_at, original is not null as has_original
         from source_docs
         where space_id = $1 and deleted_at is null
         order by id`,
        [spaceId],
      )
      return rows
    },

    /** The bytes of a source document, or its text where it came without. */
    async readDocument(spaceId: string, id: string): Promise<Buffer | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        `select coalesce(original, convert_to(text, 'UTF8')) as bytes
         from source_docs
         where space_id = $1 and id = $2`,
        [spaceId, id],
      )
      return rows[0]?.bytes ?? null
    },

    /** The names that links knew entities by before. */
    async listFormerNames(
      spaceId: string,
      ids: readonly string[],
    ): Promise<{ entity_id: string; name: string }[]> {
      const { rows } = await db.query<{ entity_id: string; name: string }>(
        `select entity_id, name
         from entity_names
         where space_id = $1 and entity_id = any($2) and source = 'former'
         order by name`,
        [spaceId, ids],
      )
      return rows
    },
  }
}
