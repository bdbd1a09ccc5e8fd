import type { Queryable } from '../pool.ts'

export type AuditEntry = {
  space_id: string | null
  actor: string
  action: string
  entity_type: string
  entity_id: string
  version: number | null
  /** The changed fields as they were and as they are; `null` where there is no such side. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  pending_change_id: string | null
}

export type AuditRow = AuditEntry & { seq: number; at: string; previous_hash: string; hash: string }

type StoredRow = Omit<AuditRow, 'before' | 'after'> & { before: string | null; after: string | null }

export type AuditRepo = ReturnType<typeof createAuditRepo>

/** The append-only log. The database numbers and chains the rows (migration 001). */
export function createAuditRepo(db: Queryable) {
  return {
    /** Takes the chain's lock. A transaction that will write several entities does this before it locks any. */
    async lock(): Promise<void> {
      await db.query('select seq from audit_head for update')
    },

    async append(entry: AuditEntry): Promise<void> {
      await db.query(
        `insert into audit_log
           (space_id, actor, action, entity_type, entity_id, version, before, after, pending_change_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          entry.space_id,
          entry.actor,
          entry.action,
          entry.entity_type,
          entry.entity_id,
          entry.version,
          entry.before && JSON.stringify(entry.before),
          entry.after && JSON.stringify(entry.after),
          entry.pending_change_id,
        ],
      )
    },

    /** The fields as they were before an approved draft changed them; `null` for a draft that changed none. */
    async findBefore(change: {
      space_id: string
      entity_id: string
      id: string
    }): Promise<Record<string, unknown> | null> {
      const { rows } = await db.query<Pick<StoredRow, 'before'>>(
        `select before
         from audit_log
         where space_id = $1 and entity_id = $2 and pending_change_id = $3`,
        [change.space_id, change.entity_id, change.id],
      )
      return parse(rows[0]?.before ?? null)
    },

    /** What happened to an entity after it was at a version, newest first. */
    async listAfterVersion(
      entity: { space_id: string; entity_type: string; entity_id: string },
      version: number,
      limit: number,
    ): Promise<AuditRow[]> {
      const { rows } = await db.query<StoredRow>(
        `select seq, at, space_id, actor, action, entity_type, entity_id, version, before, after,
                pending_change_id, previous_hash, hash
         from audit_log
         where space_id = $1 and entity_type = $2 and entity_id = $3 and version > $4
         order by seq desc
         limit $5`,
        [entity.space_id, entity.entity_type, entity.entity_id, version, limit],
      )
      return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }))
    },

    /** Newest first. */
    async list(filter: {
      space_id: string | null
      entity_id: string | null
      before_seq: number | null
      limit: number
    }): Promise<AuditRow[]> {
      const { rows } = await db.query<StoredRow>(
        `select seq, at, space_id, actor, action, entity_type, entity_id, version, before, after,
                pending_change_id, previous_hash, hash
         from audit_log
         where ($1::uuid is null or space_id = $1)
           and ($2::uuid is null or entity_id = $2)
           and ($3::bigint is null or seq < $3)
         order by seq desc
         limit $4`,
        [filter.space_id, filter.entity_id, filter.before_seq, filter.limit],
      )
      return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }))
    },
  }
}

const parse = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : JSON.parse(text)
