// The audit log as a chain of hashes. What a row's hash covers is written out here again, on purpose: whoever can change
// the log can also change the function in the database that made the hashes.

import type { ChainHead } from '../../contract/audit.ts'
import type { Queryable } from '../pool.ts'

export type ChainLink = {
  seq: number
  previous_hash: string
  hash: string
  /** The hash that the row should have. */
  computed: string
  /** Whether its time is one that the log can have written: the hash does not tell 2031 from 2031 before Christ. */
  timely: boolean
}

export function createAuditChainRepo(db: Queryable) {
  return {
    /** Rows in order, from the very first (`null`) or after one. Their texts stay in the database. */
    async list(afterSeq: number | null, limit: number): Promise<ChainLink[]> {
      const { rows } = await db.query<ChainLink>(
        `select seq, previous_hash, hash,
                pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(line, 'UTF8')), 'hex') as computed,
                at >= '2000-01-01 00:00:00Z' and at < '9999-12-31 00:00:00Z' as timely
         from (
           select seq, previous_hash, hash, at,
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
           where $1::bigint is null or seq > $1
           order by seq
           limit $2
         ) as lines
         order by seq`,
        [afterSeq, limit],
      )
      return rows
    },

    /** `null` when somebody has taken it away. */
    async head(): Promise<ChainHead | null> {
      const { rows } = await db.query<ChainHead>('select seq, hash from audit_head')
      return rows[0] ?? null
    },
  }
}
