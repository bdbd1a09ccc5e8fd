// The bytes of files: the originals of source documents, and what is handed over for an import.

import type { Database, Queryable } from '../pool.ts'

export type Original = { title: string; mime: string; size: number }

export type OriginalFile = { id: string; title: string; mime: string; size: number }

/** With how its bytes begin; of one without bytes the size of its text. */
export type FileHead = OriginalFile & { head: Buffer | null }

const headBytes = 16

/** The bytes of source documents; all else about them is in the entities repo. */
export function createSourceDocsRepo(db: Queryable) {
  return {
    /** `null` when there is no such document, it is deleted, or it came without bytes. */
    async findOriginal(spaceId: string, id: string): Promise<Original | null> {
      const { rows } = await db.query<Original>(
        `select title, mime, octet_length(original) as size
         from source_docs
         where space_id = $1 and id = $2 and deleted_at is null and original is not null`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** A part of the bytes of a document that has them, both ends included. */
    async loadBytes(
      spaceId: string,
      id: string,
      { from, to }: { from: number; to: number },
    ): Promise<Buffer | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        `select substring(original from $3 for $4) as bytes
         from source_docs
         where space_id = $1 and id = $2 and original is not null`,
        [spaceId, id, from + 1, to - from + 1],
      )
      return rows[0]?.bytes ?? null
    },

    /** Those of the given ids that are in the Space and not deleted. */
    async listHeads(spaceId: string, ids: readonly string[]): Promise<FileHead[]> {
      const { rows } = await db.query<FileHead>(
        `select id, title, mime, coalesce(octet_length(original), octet_length(text)) as size,
           substring(original from 1 for $3) as head
         from source_docs
         where space_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
        [spaceId, ids, headBytes],
      )
      return rows
    },

    /** Those whose bytes have a hash, the oldest first. */
    async listByHash(spaceId: string, sha256: string, limit: number): Promise<OriginalFile[]> {
      const { rows } = await db.query<OriginalFile>(
        `select id, title, mime, octet_length(original) as size
         from source_docs
         where space_id = $1 and sha256 = $2 and deleted_at is null and original is not null
         order by id
         limit $3`,
        [spaceId, sha256, limit],
      )
      return rows
    },
  }
}

/** A file that was handed over; `problem` says why it stays out, `modified_at` when it was changed. */
export type Upload = {
  id: string
  path: string
  size: number
  problem: string | null
  modified_at: string | null
}

type NewUpload = Omit<Upload, 'size'> & { job_id: string }

/** Parts that are deleted in one statement: a few megabytes. */
const partsPerDelete = 16

/** Files that were handed over for imports, in parts. */
export function createImportUploadsRepo(db: Database) {
  return {
    async begin({ id, job_id, path, problem, modified_at }: NewUpload): Promise<void> {
      await db.query(
        'insert into import_uploads (id, job_id, path, problem, modified_at) values ($1, $2, $3, $4, $5)',
        [id, job_id, path, problem, modified_at],
      )
    },

    /** False when the upload was removed: its job is over. */
    async addPart(id: string, ordinal: number, bytes: Buffer): Promise<boolean> {
      const { rows } = await db.query(
        `insert into import_upload_parts (upload_id, ordinal, bytes)
         select id, $2, $3
         from import_uploads
         where id = $1
         returning ordinal`,
        [id, ordinal, bytes],
      )
      return rows.length > 0
    },

    /** Makes an upload part of its job, in place of an earlier one of that path. False when the job takes no more files. */
    async complete({ id, job_id, path }: NewUpload, size: number): Promise<boolean> {
      return await db.transaction(async (tx) => {
        // Uploads to one job are completed one after the other, and none after its start.
        const { rows } = await tx.query(
          `update import_jobs
           set updated_at = now()
           where id = $1 and state in ('open', 'previewed')
           returning id`,
          [job_id],
        )
        if (rows.length === 0) return false
        await tx.query('delete from import_uploads where job_id = $1 and path = $2 and complete', [
          job_id,
          path,
        ])
        await tx.query('update import_uploads set complete = true, size = $2 where id = $1', [id, size])
        return true
      })
    },

    async remove(id: string): Promise<void> {
      await db.query('delete from import_uploads where id = $1', [id])
    },

    /** The files of a job, by path. */
    async list(jobId: string): Promise<Upload[]> {
      const { rows } = await db.query<Upload>(
        `select id, path, size, problem, modified_at
         from import_uploads
         where job_id = $1 and complete
         order by path`,
        [jobId],
      )
      return rows
    },

    async readPart(id: string, ordinal: number): Promise<Buffer | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        'select bytes from import_upload_parts where upload_id = $1 and ordinal = $2',
        [id, ordinal],
      )
      return rows[0]?.bytes ?? null
    },

    /** Bytes that wait for all jobs together. */
    async sumBytes(): Promise<number> {
      const { rows } = await db.query<{ bytes: number }>(
        'select coalesce(sum(size), 0)::bigint as bytes from import_uploads',
      )
      return rows[0]!.bytes
    },

    /** Jobs that are over and still have files here, and those whose uploads broke off a day ago. */
    async listLeftOver(): Promise<{ over: string[]; broken: string[] }> {
      const { rows } = await db.query<{ over: string[] | null; broken: string[] | null }>(
        `select
           (select array_agg(distinct job_id)
            from import_uploads
            join import_jobs on import_jobs.id = job_id
            where state in ('done', 'undone')) as over,
           (select array_agg(id)
            from import_uploads
            where not complete and received_at < now() - interval '1 day') as broken`,
      )
      return { over: rows[0]?.over ?? [], broken: rows[0]?.broken ?? [] }
    },

    /** Removes the files of a job: at once when nothing else waits, otherwise a few parts at a time. */
    async removeOf(jobId: string): Promise<void> {
      if (await removeIfAlone(jobId)) return
      while (await removeSomeParts(jobId));
      await db.query('delete from import_uploads where job_id = $1', [jobId])
    },
  }

  // A table that is emptied leaves no dead rows: the embedded database has nobody who tidies up after a delete.
  async function removeIfAlone(jobId: string): Promise<boolean> {
    return await db.transaction(async (tx) => {
      await tx.query('lock table import_uploads in share row exclusive mode')
      const { rows } = await tx.query('select from import_uploads where job_id <> $1 limit 1', [jobId])
      if (rows.length > 0) return false
      await tx.query('truncate import_upload_parts')
      await tx.query('delete from import_uploads where job_id = $1', [jobId])
      return true
    })
  }

  async function removeSomeParts(jobId: string): Promise<boolean> {
    const { rows } = await db.query(
      `delete from import_upload_parts
       where (upload_id, ordinal) in (
         select upload_id, ordinal
         from import_upload_parts
         join import_uploads on import_uploads.id = upload_id
         where job_id = $1
         limit $2
       )
       returning ordinal`,
      [jobId, partsPerDelete],
    )
    return rows.length > 0
  }
}
