import type { Queryable } from '../pool.ts'

export const importStates = [
  'open',
  'previewing',
  'previewed',
  'running',
  'stopped',
  'failed',
  'done',
  'undoing',
  'undone',
] as const

export type ImportState = (typeof importStates)[number]

export type ImportJobRow = {
  id: string
  space_id: string
  source: string
  root: string | null
  state: ImportState
  done: number
  problem: string | null
  created_at: string
  updated_at: string
}

export type Upload = { path: string; name: string; size: number }

const columns = 'id, space_id, source, root, state, done, problem, created_at, updated_at'

/** Imports as jobs, and the files that were handed over for them. */
export function createImportJobsRepo(db: Queryable) {
  return {
    async insert(job: Pick<ImportJobRow, 'id' | 'space_id' | 'source' | 'root'>): Promise<ImportJobRow> {
      const { rows } = await db.query<ImportJobRow>(
        `insert into import_jobs (id, space_id, source, root)
         values ($1, $2, $3, $4)
         returning ${columns}`,
        [job.id, job.space_id, job.source, job.root],
      )
      return rows[0]!
    },

    async find(id: string): Promise<ImportJobRow | null> {
      const { rows } = await db.query<ImportJobRow>(`select ${columns} from import_jobs where id = $1`, [id])
      return rows[0] ?? null
    },

    /** Newest first. */
    async list(filter: {
      space_id: string
      before_id: string | null
      limit: number
    }): Promise<ImportJobRow[]> {
      const { rows } = await db.query<ImportJobRow>(
        `select ${columns}
         from import_jobs
         where space_id = $1 and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [filter.space_id, filter.before_id, filter.limit],
      )
      return rows
    },

    /** Those in one of the states, oldest first. */
    async listIn(states: readonly ImportState[]): Promise<ImportJobRow[]> {
      const { rows } = await db.query<ImportJobRow>(
        `select ${columns} from import_jobs where state = any($1) order by id`,
        [states],
      )
      return rows
    },

    /** Moves a job to another state, if it is in one of those it may leave; `null` if it is not. */
    async enter(
      id: string,
      from: readonly ImportState[],
      to: { state: ImportState; problem?: string | null; done?: number },
    ): Promise<ImportJobRow | null> {
      const { rows } = await db.query<ImportJobRow>(
        `update import_jobs
         set state = $3, problem = $4, done = coalesce($5, done), updated_at = now()
         where id = $1 and state = any($2)
         returning ${columns}`,
        [id, from, to.state, to.problem ?? null, to.done ?? null],
      )
      return rows[0] ?? null
    },

    async progress(id: string, done: number): Promise<void> {
      await db.query('update import_jobs set done = $2, updated_at = now() where id = $1', [id, done])
    },

    async addUpload(jobId: string, { path, name, size }: Upload): Promise<void> {
      await db.query(
        `insert into import_uploads (job_id, path, name, size)
         values ($1, $2, $3, $4)
         on conflict (job_id, path) do update
         set name = excluded.name, size = excluded.size`,
        [jobId, path, name, size],
      )
    },

    async listUploads(jobId: string): Promise<Upload[]> {
      const { rows } = await db.query<Upload>(
        'select path, name, size from import_uploads where job_id = $1 order by path',
        [jobId],
      )
      return rows
    },

    async sumUploads(jobId: string): Promise<{ files: number; bytes: number }> {
      const { rows } = await db.query<{ files: number; bytes: number }>(
        `select count(*)::integer as files, coalesce(sum(size), 0)::bigint as bytes
         from import_uploads
         where job_id = $1`,
        [jobId],
      )
      return rows[0]!
    },

    async forgetUploads(jobId: string): Promise<void> {
      await db.query('delete from import_uploads where job_id = $1', [jobId])
    },
  }
}
