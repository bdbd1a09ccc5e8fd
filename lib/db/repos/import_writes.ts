import type { Queryable } from '../pool.ts'

export type ImportWrite = { entity_type: string; entity_id: string; action: string; version: number }

/** What an import did to one entity, first to last. */
export type WrittenEntity = {
  entity_type: string
  entity_id: string
  first_seq: number
  first_action: string
  last_action: string
  /** As the import left it. */
  version: number
}

/** Every write of an import, in order. */
export function createImportWritesRepo(db: Queryable) {
  return {
    async add(jobId: string, writes: readonly ImportWrite[]): Promise<void> {
      if (writes.length === 0) return
      await db.query(
        `insert into import_writes (job_id, entity_type, entity_id, action, version)
         select $1, entity_type, entity_id, action, version
         from unnest($2::text[], $3::uuid[], $4::text[], $5::integer[]) with ordinality
              as one (entity_type, entity_id, action, version, place)
         order by place`,
        [
          jobId,
          writes.map(({ entity_type }) => entity_type),
          writes.map(({ entity_id }) => entity_id),
          writes.map(({ action }) => action),
          writes.map(({ version }) => version),
        ],
      )
    },

    /** The entities, those that were written last first: what stands below before what it stands below of. */
    async listEntities(jobId: string, beforeSeq: number | null, limit: number): Promise<WrittenEntity[]> {
      const { rows } = await db.query<WrittenEntity>(
        `select entity_type, entity_id, min(seq) as first_seq,
                (array_agg(action order by seq))[1] as first_action,
                (array_agg(action order by seq desc))[1] as last_action,
                max(version) as version
         from import_writes
         where job_id = $1
         group by entity_type, entity_id
         having $2::bigint is null or min(seq) < $2
         order by min(seq) desc
         limit $3`,
        [jobId, beforeSeq, limit],
      )
      return rows
    },

    /** The fields of an entity as they were before the import changed them. */
    async findBefore(jobId: string, spaceId: string, entityId: string): Promise<Record<string, unknown>> {
      const { rows } = await db.query<{ before: string | null }>(
        `select audit_log.before
         from import_writes
         join audit_log on audit_log.entity_id = import_writes.entity_id
           and audit_log.version = import_writes.version
           and audit_log.space_id = $2
         where import_writes.job_id = $1 and import_writes.entity_id = $3 and import_writes.action = 'update'
         order by import_writes.seq desc`,
        [jobId, spaceId, entityId],
      )
      // The earliest comes last and wins.
      return Object.assign({}, ...rows.map(({ before }) => (before === null ? {} : JSON.parse(before))))
    },

    /** The neighbours of a replacement: what an import takes out, it writes right before what it puts in its place. */
    async findPair(jobId: string, entityId: string): Promise<{ taken: string; made: string } | null> {
      const { rows } = await db.query<{ taken: string; made: string }>(
        `select taken.entity_id as taken, made.entity_id as made
         from import_writes taken
         join import_writes made on made.job_id = taken.job_id
         where taken.job_id = $1
           and taken.action = 'delete'
           and made.action = 'create'
           and $2 in (taken.entity_id, made.entity_id)
           and made.seq = (
             select min(later.seq) from import_writes later where later.job_id = $1 and later.seq > taken.seq
           )`,
        [jobId, entityId],
      )
      return rows[0] ?? null
    },
  }
}
