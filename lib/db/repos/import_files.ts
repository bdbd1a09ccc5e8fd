import type { Kind } from '../../contract/entities/kind.ts'
import type { Queryable } from '../pool.ts'

/** A file (or folder: a path that ends in a slash, with no hash) and the entity that an import made of it. */
export type ImportedFile = {
  path: string
  entity_type: string
  entity_id: string
  /** Of the file's bytes. */
  sha256: string | null
  /** The entity's version as the import left it. */
  version: number
}

export type EntityState = { id: string; title: string; version: number; deleted: boolean }

type Import = { space_id: string; source: string }

export type ImportFilesRepo = ReturnType<typeof createImportFilesRepo>

/** What imports remember. An import is a Space and a source: the folder, or a name that its owner gave it. */
export function createImportFilesRepo(db: Queryable) {
  return {
    async listByPath({ space_id, source }: Import, paths: readonly string[]): Promise<ImportedFile[]> {
      const { rows } = await db.query<ImportedFile>(
        `select path, entity_type, entity_id, sha256, version
         from import_files
         where space_id = $1 and source = $2 and path = any($3)`,
        [space_id, source, paths],
      )
      return rows
    },

    /** Every path of the given entities. */
    async listByEntity({ space_id, source }: Import, ids: readonly string[]): Promise<ImportedFile[]> {
      const { rows } = await db.query<ImportedFile>(
        `select path, entity_type, entity_id, sha256, version
         from import_files
         where space_id = $1 and source = $2 and entity_id = any($3)`,
        [space_id, source, ids],
      )
      return rows
    },

    /** Those of the given paths whose bytes had one of the hashes. */
    async listByHash(
      { space_id, source }: Import,
      paths: readonly string[],
      hashes: readonly string[],
    ): Promise<ImportedFile[]> {
      const { rows } = await db.query<ImportedFile>(
        `select path, entity_type, entity_id, sha256, version
         from import_files
         where space_id = $1 and source = $2 and path in (select jsonb_array_elements_text($3))
           and sha256 = any($4)
         order by path`,
        [space_id, source, toJson(paths), hashes],
      )
      return rows
    },

    /** Everything that an import remembers, by path. */
    async list({ space_id, source }: Import): Promise<ImportedFile[]> {
      const { rows } = await db.query<ImportedFile>(
        `select path, entity_type, entity_id, sha256, version
         from import_files
         where space_id = $1 and source = $2
         order by path`,
        [space_id, source],
      )
      return rows
    },

    /** How many of the given paths each source of the Space has, most first. */
    async countBySource(
      spaceId: string,
      paths: readonly string[],
    ): Promise<{ source: string; count: number }[]> {
      const { rows } = await db.query<{ source: string; count: number }>(
        `select source, count(*) as count
         from import_files
         where space_id = $1 and path in (select jsonb_array_elements_text($2)) and sha256 is not null
         group by source
         order by count desc, source`,
        [spaceId, toJson(paths)],
      )
      return rows
    },

    /** Remembers files; those already known are brought up to date. No path may occur twice. */
    async save({ space_id, source }: Import, files: readonly ImportedFile[]): Promise<void> {
      if (files.length === 0) return
      await db.query(
        `insert into import_files (space_id, source, path, entity_type, entity_id, sha256, version)
         select $1, $2, path, entity_type, entity_id, sha256, version
         from unnest($3::text[], $4::text[], $5::uuid[], $6::text[], $7::integer[])
              as file (path, entity_type, entity_id, sha256, version)
         on conflict (space_id, source, path) do update
         set entity_type = excluded.entity_type,
             entity_id = excluded.entity_id,
             sha256 = excluded.sha256,
             version = excluded.version,
             imported_at = now()`,
        [
          space_id,
          source,
          files.map(({ path }) => path),
          files.map(({ entity_type }) => entity_type),
          files.map(({ entity_id }) => entity_id),
          files.map(({ sha256 }) => sha256),
          files.map(({ version }) => version),
        ],
      )
    },

    /** The bytes of an imported note, the hash of the text that they are of, and the encoding that was a guess. */
    async keepBytes({ space_id, id }: { space_id: string; id: string }, kept: KeptBytes): Promise<void> {
      await db.query(
        `update pages
         set original = $3::bytea, original_of = case when $3::bytea is null then null else $4::text end,
             read_as = case when $3::bytea is null then null else $5::text end
         where space_id = $1 and id = $2`,
        [space_id, id, kept.bytes && Buffer.from(kept.bytes), kept.original_of, kept.read_as],
      )
    },

    /** Forgets paths: the files moved. Their entities stay. */
    async forget({ space_id, source }: Import, paths: readonly string[]): Promise<void> {
      if (paths.length === 0) return
      await db.query('delete from import_files where space_id = $1 and source = $2 and path = any($3)', [
        space_id,
        source,
        paths,
      ])
    },

    /** Forgets entities, whatever their paths: the next import of their files brings them in anew. */
    async forgetEntities(spaceId: string, source: string, ids: readonly string[]): Promise<void> {
      await db.query('delete from import_files where space_id = $1 and source = $2 and entity_id = any($3)', [
        spaceId,
        source,
        ids,
      ])
    },

    /**
     * The files of an entity lead to another one (or the same), as it is at `version`, and count as changed: the next
     * import of any text of theirs brings it in.
     */
    async reassign(
      { space_id, source }: Import,
      from: string,
      to: Pick<ImportedFile, 'entity_type' | 'entity_id' | 'version'>,
    ): Promise<void> {
      await db.query(
        `update import_files
         set entity_type = $4,
             entity_id = $5,
             version = $6,
             sha256 = case when sha256 is null then null else repeat('0', 64) end
         where space_id = $1 and source = $2 and entity_id = $3`,
        [space_id, source, from, to.entity_type, to.entity_id, to.version],
      )
    },

    /** Remembers a file's hash without saying that its entity is up to date with it. */
    async acceptHash({ space_id, source }: Import, path: string, sha256: string): Promise<void> {
      await db.query(
        'update import_files set sha256 = $4 where space_id = $1 and source = $2 and path = $3',
        [space_id, source, path, sha256],
      )
    },

    /** How the given entities stand now; those emptied from the trash are missing. */
    async listStates(kind: Kind, spaceId: string, ids: readonly string[]): Promise<EntityState[]> {
      const { rows } = await db.query<EntityState>(
        `select id, title, version, deleted_at is not null as deleted
         from ${kind.table}
         where space_id = $1 and id = any($2)`,
        [spaceId, ids],
      )
      return rows
    },
  }
}

/** `bytes` null: the text gives them again. */
type KeptBytes = { bytes: Uint8Array | null; original_of: string; read_as: string | null }

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

    /**
     * The entities whose writes are not undone, those that were written last first: what stands below before what it
     * stands below of.
     */
    async listEntities(jobId: string, beforeSeq: number | null, limit: number): Promise<WrittenEntity[]> {
      const { rows } = await db.query<WrittenEntity>(
        `select entity_type, entity_id, min(seq) as first_seq,
                (array_agg(action order by seq))[1] as first_action,
                (array_agg(action order by seq desc))[1] as last_action,
                max(version) as version
         from import_writes
         where job_id = $1
           and not exists (
             select from import_outcomes
             where job_id = $1 and import_outcomes.entity_id = import_writes.entity_id and undone = 'undone'
           )
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

    /** Whether another import of the job's source deleted the entity at this version, for one in its place. */
    async isReplaced(job: Import & { id: string }, entityId: string, version: number): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from import_jobs
         join import_writes on job_id = import_jobs.id
         where space_id = $1 and source = $2 and job_id <> $3
           and entity_id = $4 and action = 'delete' and version = $5
         limit 1`,
        [job.space_id, job.source, job.id, entityId, version],
      )
      return rows.length > 0
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

/** For lists of up to hundreds of thousands of paths: writing them as a Postgres array takes ten times as long. */
const toJson = (paths: readonly string[]) => JSON.stringify(paths)
