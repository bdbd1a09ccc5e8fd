import type { Queryable } from '../pool.ts'
import { isShown } from './messages.ts'

/** What a Space holds besides its entities, each named as the lines of an export are. */
export const recordTypes = [
  'conversation',
  'message',
  'pending_change',
  'research_run',
  'mail_message',
  'audit',
] as const
export type RecordType = (typeof recordTypes)[number]

export type ExportPage = {
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
      last_activity_at, deleted_at
    from conversations
    where space_id = $1 and ($2 or deleted_at is null) and ($3::uuid is null or id > $3::uuid)
    order by id`,

  message: `select messages.seq::text as key, messages.id, conversation_id, turn_id, role, body, messages.agent_id, metadata,
      created_at, not ${isShown} as put_aside
    from messages
    join conversations on conversations.id = messages.conversation_id
    where space_id = $1 and ($2 or deleted_at is null) and ($3::bigint is null or messages.seq > $3::bigint)
    order by messages.seq`,

  // The payload is the very text that was hashed.
  pending_change: `select id as key, id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type,
      entity_id, action, payload, payload_sha256, base_version, reason, provenance, status, created_at, decided_at,
      decided_by, decision, result_version, derivation, supersedes, superseded_by, conflicts
    from pending_changes
    where space_id = $1 and ($2 or true) and ($3::uuid is null or id > $3::uuid)
    order by id`,

  research_run: `select run.id as key, run.id, conversation_id, run.agent_id, first_turn_id, previous_id, run.title, question, depth,
      labels, run.status, outcome, plan, budget_usd, budget_tokens, verification, answer, run.summary, pending_change_id,
      error, archived_at, created_at, updated_at, finished_at, (
        select coalesce(json_agg(passage order by passage.position), '[]'::json)
        from (
          select n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted, address, earlier,
            sub_questions, quotes
          from research_evidence
          where run_id = run.id
        ) as passage
      ) as evidence, (
        select coalesce(json_agg(claim order by claim.position), '[]'::json)
        from (
          select id, position, section, text, cites, verdict, reasons, score, against, opinion
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
