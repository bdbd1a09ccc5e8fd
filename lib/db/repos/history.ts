import type { Queryable } from '../pool.ts'
import { asked, fromAuditWithDraft } from './audit_drafts.ts'

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
