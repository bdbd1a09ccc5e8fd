import type { BlameChange, BlameDraft } from '../../contract/changes/blame.ts'
import type { Derivation } from '../../contract/changes/decision.ts'
import type { Provenance } from '../../contract/changes/provenance.ts'
import type { Queryable } from '../pool.ts'
import { asked, fromAuditWithDraft } from './audit.ts'

export type VersionRow = {
  seq: number
  version: number | null
  at: string
  actor: string
  action: string
  fields: string[]
  undoes: number | null
  undoes_since: number | null
  pending_change_id: string | null
  agent_slug: string | null
  agent_name: string | null
  note: string | null
  conversation_id: string | null
  conversation_title: string | null
  asked: string | null
}

/** The audit log read as the history of one entity. */
export function createHistoryRepo(db: Queryable) {
  return {
    /** Newest first, each with the draft it came from, that draft's agent and what the owner had asked. */
    async list(filter: {
      space_id: string
      entity_id: string
      before_seq: number | null
      limit: number
    }): Promise<VersionRow[]> {
      const { rows } = await db.query<VersionRow>(
        `select seq, version, at, actor, audit_log.action,
                case when audit_log.action = 'update' and after is not null
                  then array(select json_object_keys(after::json)) else '{}'::text[] end as fields,
                undoes, undoes_since, pending_change_id, agents.slug as agent_slug, agents.name as agent_name,
                reason as note, conversations.id as conversation_id, conversations.title as conversation_title,
                ${asked} as asked
         ${fromAuditWithDraft}
         where audit_log.space_id = $1 and audit_log.entity_id = $2 and ($3::bigint is null or seq < $3)
         order by seq desc
         limit $4`,
        [filter.space_id, filter.entity_id, filter.before_seq, filter.limit],
      )
      return rows
    },

    /** Every field as it was at a version, with the JSON of its value; nothing for a version that never was. */
    async listFields(spaceId: string, entityId: string, version: number): Promise<[string, unknown][]> {
      const { rows } = await db.query<{ name: string; value: unknown }>(
        `select distinct on (key) key as name, value
         from audit_log, json_each(after::json)
         where space_id = $1 and entity_id = $2 and version <= $3 and after is not null
           and exists (
             select from audit_log
             where space_id = $1 and entity_id = $2 and version = $3
           )
         order by key, seq desc`,
        [spaceId, entityId, version],
      )
      return rows.map(({ name, value }) => [name, value])
    },
  }
}

/** A change of one field of an entity, with its value before. */
export type FieldChangeRow = {
  seq: number
  /** Empty for a creation. */
  before: string
  undoes: number | null
  undoes_since: number | null
}

type ChangeFacts = Pick<BlameChange, 'seq' | 'version' | 'at' | 'actor' | 'action'>

export type WriterRow = ChangeFacts & { draft: (BlameDraft & { agent_id: string }) | null }

type Field = { space_id: string; entity_id: string; name: string }

type StoredWriter = ChangeFacts & {
  pending_change_id: string | null
  agent_id: string | null
  agent_slug: string | null
  agent_name: string | null
  derivation: Derivation | null
  decided_at: string | null
  decided_by: string | null
  note: string | null
  asked: string | null
  turn_id: string | null
  conversation_id: string | null
  conversation_title: string | null
  provenance: Provenance | null
}

/** The audit log read as the changes of one text. */
export function createBlameRepo(db: Queryable) {
  return {
    /** The latest first, up to a version and before a row. */
    async listChanges(
      { space_id, entity_id, name }: Field,
      page: { version: number; before_seq: number | null; limit: number },
    ): Promise<FieldChangeRow[]> {
      const { rows } = await db.query<FieldChangeRow>(
        `select seq, coalesce(before::json ->> $3::text, '') as before, undoes, undoes_since
         from audit_log
         where space_id = $1 and entity_id = $2 and version <= $4 and ($5::bigint is null or seq < $5)
           and (action = 'create' or before::json -> $3::text is not null)
         order by seq desc
         limit $6`,
        [space_id, entity_id, name, page.version, page.before_seq, page.limit],
      )
      return rows
    },

    /** The value before the first change of the field in a run of rows; `null` when none of them changed it. */
    async findBefore({ space_id, entity_id, name }: Field, from: number, to: number): Promise<string | null> {
      const { rows } = await db.query<{ before: string | null }>(
        `select before::json ->> $3::text as before
         from audit_log
         where space_id = $1 and entity_id = $2 and seq between $4 and $5 and before::json -> $3::text is not null
         order by seq
         limit 1`,
        [space_id, entity_id, name, from, to],
      )
      return rows[0]?.before ?? null
    },

    /** Rows with who was behind them, the latest first. */
    async listWriters(spaceId: string, entityId: string, seqs: readonly number[]): Promise<WriterRow[]> {
      const { rows } = await db.query<StoredWriter>(
        `select seq, version, at, actor, audit_log.action, pending_changes.id as pending_change_id,
                agents.id as agent_id, agents.slug as agent_slug, agents.name as agent_name, derivation, decided_at,
                decided_by, reason as note, turn_id, conversations.id as conversation_id,
                conversations.title as conversation_title, provenance,
                ${asked} as asked
         ${fromAuditWithDraft}
         where audit_log.space_id = $1 and audit_log.entity_id = $2 and seq = any($3::bigint[])
         order by seq desc`,
        [spaceId, entityId, seqs],
      )
      return rows.map(toWriter)
    },
  }
}

function toWriter({ seq, version, at, actor, action, ...row }: StoredWriter): WriterRow {
  const { pending_change_id, agent_id, agent_slug, derivation, decided_at, turn_id, conversation_id } = row
  const facts = { seq, version, at, actor, action }
  if (!pending_change_id || !agent_id || !agent_slug || !derivation || !decided_at) {
    return { ...facts, draft: null }
  }
  const conversation =
    conversation_id === null ? null : { id: conversation_id, title: row.conversation_title ?? '' }
  return {
    ...facts,
    draft: {
      pending_change_id,
      agent_id,
      agent: { slug: agent_slug, name: row.agent_name ?? agent_slug },
      derivation,
      approved: { at: decided_at, by: row.decided_by ?? '' },
      note: row.note ?? '',
      asked: row.asked,
      turn: turn_id === null ? null : { id: turn_id, conversation },
      provenance: row.provenance,
    },
  }
}
