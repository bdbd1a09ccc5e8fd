// The audit log as a chain of hashes. What a row's hash covers is written out here again, on purpose: whoever can change
// the log can also change the function in the database that made the hashes.

import type { ChainHead } from '../../contract/audit.ts'
import type { Queryable } from '../pool.ts'

export type ChainLink = {
  seq: number
  previous_hash: string
  hash: string
  /** What the row hashes to as it is. */
  computed: string
  /** What it should hash to: its own hash, or what the last redaction of it records. */
  expected: string
  /** Rows that this one redacts. */
  redacts: number[]
  /** Whether its time is one that the log can have written: the hash does not tell 2031 from 2031 before Christ. */
  timely: boolean
}

export type AuditChain = ReturnType<typeof createAuditChainRepo>

export function createAuditChainRepo(db: Queryable) {
  return {
    /** Rows in order, from the very first (`null`) or after one. Their texts stay in the database. */
    async list(afterSeq: number | null, limit: number): Promise<ChainLink[]> {
      return await listLinks('($1::bigint is null or seq > $1)', [afterSeq, limit])
    },

    /** The rows with these numbers. */
    async listOf(seqs: readonly number[]): Promise<ChainLink[]> {
      return await listLinks('seq = any($1::bigint[])', [seqs, seqs.length])
    },

    /** `null` when somebody has taken it away. */
    async head(): Promise<ChainHead | null> {
      const { rows } = await db.query<ChainHead>('select seq, hash from audit_head')
      return rows[0] ?? null
    },
  }

  /** In one statement, so that a row and its redaction are of one moment. Nothing in a row can make it fail. */
  async function listLinks(where: string, params: unknown[]): Promise<ChainLink[]> {
    const { rows } = await db.query<Omit<ChainLink, 'redacts'> & { redacts: string[] | null }>(
      `with links as materialized (
           select seq, previous_hash, hash, entity_type, entity_id, action, after,
                pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(line, 'UTF8')), 'hex') as computed,
                at >= '2000-01-01 00:00:00Z' and at < '9999-12-31 00:00:00Z' as timely
         from (
           select seq, previous_hash, hash, at, entity_type, entity_id, action, after,
                  (select string_agg(coalesce(length(part)::text || ':' || part, '-'), ',' order by place)
                   from unnest(
                     array[
                       seq::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), space_id::text, actor,
                       action, entity_type, entity_id::text, version::text, before, after, pending_change_id::text,
                       previous_hash
                     ] || case when undoes is null and undoes_since is null then '{}'::text[]
                               else array[undoes::text, undoes_since::text] end
                   ) with ordinality as parts (part, place)) as line
           from audit_log
           where ${where}
           order by seq
           limit $2
         ) as lines
         )
         select seq, previous_hash, hash, computed, timely,
                coalesce(case when computed <> hash and entity_type = 'page' and action <> 'redact' then (
                  select pg_catalog.substring(redaction.after, '"' || links.seq || '":"([0-9a-f]{64})"')
                  from audit_log redaction
                  where redaction.entity_id = links.entity_id and redaction.seq > links.seq
                    and redaction.entity_type = 'page' and redaction.action = 'redact'
                    and redaction.after like '%"' || links.seq || '":"%'
                  order by redaction.seq desc
                  limit 1
                ) end, hash) as expected,
                case when action = 'redact' then array(
                  select found[1]
                  from pg_catalog.regexp_matches(after, '"([0-9]{1,18})":"[0-9a-f]{64}"', 'g') as found
                ) end as redacts
         from links
         order by seq`,
      params,
    )
    return rows.map((row) => ({ ...row, redacts: (row.redacts ?? []).map(Number) }))
  }
}
