import type { FileOutcome, ImportJob, ImportState, JobFile } from '../../contract/imports.ts'
import type { Queryable } from '../pool.ts'

/**
 * A job without what its files add up to. `claim` goes up with each run and each word of its owner: who holds an older
 * one has lost the job. `attempts` are runs in a row, this one included, that neither ended nor brought anything in.
 */
export type ImportJobRow = Omit<ImportJob, 'files' | 'bytes' | 'counts' | 'created'> & {
  claim: number
  attempts: number
}

type Claim = Pick<ImportJobRow, 'id' | 'claim'>

const columns = 'id, space_id, source, root, state, done, problem, created_at, updated_at, claim, attempts'

/** Imports as jobs. */
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

    /** Undone imports of the same source that left something, those that ran last first. */
    async listUndoneInPart({ id, space_id, source }: ImportJobRow): Promise<ImportJobRow[]> {
      const { rows } = await db.query<ImportJobRow>(
        `select ${columns}
         from import_jobs
         where space_id = $1 and source = $2 and id <> $3 and state = 'undone'
           and exists (
             select from import_outcomes
             where job_id = import_jobs.id and undone is not null and undone <> 'undone'
           )
         order by (select max(seq) from import_writes where job_id = import_jobs.id) desc nulls last`,
        [space_id, source, id],
      )
      return rows
    },

    async anyIn(states: readonly ImportState[]): Promise<boolean> {
      const { rows } = await db.query('select from import_jobs where state = any($1) limit 1', [states])
      return rows.length > 0
    },

    /** Moves a job to another state, if it is in one of those it may leave; `null` if it is not. Ends its run. */
    async enter(
      id: string,
      from: readonly ImportState[],
      to: { state: ImportState; problem?: string | null; done?: number },
    ): Promise<ImportJobRow | null> {
      const { rows } = await db.query<ImportJobRow>(
        `update import_jobs
         set state = $3, problem = $4, done = coalesce($5, done), claim = claim + 1, attempts = 0, updated_at = now()
         where id = $1 and state = any($2)
         returning ${columns}`,
        [id, from, to.state, to.problem ?? null, to.done ?? null],
      )
      return rows[0] ?? null
    },

    /** Begins a run of the oldest job in one of the states; for the server that holds the lease of imports. */
    async claimNext(states: readonly ImportState[]): Promise<ImportJobRow | null> {
      const { rows } = await db.query<ImportJobRow>(
        `update import_jobs
         set claim = claim + 1, attempts = attempts + 1, updated_at = now()
         where id = (
           select id
           from import_jobs
           where state = any($1)
           order by id
           limit 1
           for update skip locked
         )
         returning ${columns}`,
        [states],
      )
      return rows[0] ?? null
    },

    /** Notes how far a run is; false when it has lost the job. */
    async progress({ id, claim }: Claim, done: number, broughtIn: boolean): Promise<boolean> {
      const { rows } = await db.query(
        `update import_jobs
         set done = $3, attempts = case when $4 then 1 else attempts end, updated_at = now()
         where id = $1 and claim = $2
         returning id`,
        [id, claim, done, broughtIn],
      )
      return rows.length > 0
    },

    /** Ends a run; false when it has lost the job. */
    async finish({ id, claim }: Claim, to: { state: ImportState; problem?: string }): Promise<boolean> {
      const { rows } = await db.query(
        `update import_jobs
         set state = $3, problem = $4, attempts = 0, updated_at = now()
         where id = $1 and claim = $2
         returning id`,
        [id, claim, to.state, to.problem ?? null],
      )
      return rows.length > 0
    },

    /** Leaves a job for another server, or a later run, as if this run had not been. */
    async release({ id, claim }: Claim): Promise<void> {
      await db.query(
        'update import_jobs set attempts = greatest(attempts - 1, 0) where id = $1 and claim = $2',
        [id, claim],
      )
    },

    /** Closes jobs that were never started and have waited for longer than this; their ids. */
    async closeAbandoned(days: number, problem: string): Promise<string[]> {
      const { rows } = await db.query<{ id: string }>(
        `update import_jobs
         set state = 'undone', problem = $2, updated_at = now()
         where state in ('open', 'previewed') and updated_at < now() - make_interval(days => $1)
         returning id`,
        [days, problem],
      )
      return rows.map(({ id }) => id)
    },

    async sumUploads(jobId: string): Promise<{ files: number; bytes: number }> {
      const { rows } = await db.query<{ files: number; bytes: number }>(
        `select count(*)::integer as files, coalesce(sum(size), 0)::bigint as bytes
         from import_uploads
         where job_id = $1 and complete`,
        [jobId],
      )
      return rows[0]!
    },
  }
}

/** What became of the files of an import. */
export function createImportOutcomesRepo(db: Queryable) {
  return {
    /**
     * Keeps outcomes. A file that a run before a crash brought in is `unchanged` in the next: what it was then stays.
     */
    async save(jobId: string, outcomes: readonly FileOutcome[]): Promise<void> {
      if (outcomes.length === 0) return
      const last = [...new Map(outcomes.map((one) => [one.path, one])).values()]
      await db.query(
        `insert into import_outcomes (job_id, path, outcome, title, entity_type, entity_id, reason, warnings)
         select $1, path, outcome, title, entity_type, entity_id, reason, warnings
         from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::json[])
              as file (path, outcome, title, entity_type, entity_id, reason, warnings)
         on conflict (job_id, path) do update
         set outcome = excluded.outcome,
             title = excluded.title,
             entity_type = excluded.entity_type,
             entity_id = excluded.entity_id,
             reason = excluded.reason,
             warnings = excluded.warnings
         where excluded.outcome <> 'unchanged'
           and (excluded.outcome, excluded.reason) is distinct from (import_outcomes.outcome, import_outcomes.reason)`,
        [
          jobId,
          last.map(({ path }) => path),
          last.map(({ outcome }) => outcome),
          last.map(({ title }) => title),
          last.map(({ entity_type }) => entity_type),
          last.map(({ entity_id }) => entity_id),
          last.map(({ reason }) => reason),
          last.map(({ warnings }) => JSON.stringify(warnings)),
        ],
      )
    },

    async clear(jobId: string): Promise<void> {
      await db.query('delete from import_outcomes where job_id = $1', [jobId])
    },

    /** In the order in which they came; of one kind of outcome, or all. */
    async list(
      jobId: string,
      filter: { outcomes: readonly string[] | null; noted: boolean; after_seq: number; limit: number },
    ): Promise<JobFile[]> {
      const { rows } = await db.query<JobFile>(
        `select seq, path, outcome, title, entity_type, entity_id, reason, warnings, undone
         from import_outcomes
         where job_id = $1
           and ($2::text[] is null or outcome = any($2))
           and (not $3 or outcome not in ('created', 'updated', 'unchanged') or warnings::text <> '[]')
           and seq > $4
         order by seq
         limit $5`,
        [jobId, filter.outcomes, filter.noted, filter.after_seq, filter.limit],
      )
      return rows
    },

    /** How many there are of each outcome, and of what was created, of each kind. Folders are told apart. */
    async count(
      jobId: string,
    ): Promise<{ outcome: string; entity_type: string | null; folder: boolean; count: number }[]> {
      const { rows } = await db.query<{
        outcome: string
        entity_type: string | null
        folder: boolean
        count: number
      }>(
        `select outcome, entity_type, path like '%/' as folder, count(*)::integer as count
         from import_outcomes
         where job_id = $1
         group by outcome, entity_type, path like '%/'`,
        [jobId],
      )
      return rows
    },

    async isUndone(jobId: string, entityId: string): Promise<boolean> {
      const { rows } = await db.query(
        `select
         from import_outcomes
         where job_id = $1 and entity_id = $2 and undone = 'undone'
         limit 1`,
        [jobId, entityId],
      )
      return rows.length > 0
    },

    async markUndone(jobId: string, entityIds: readonly string[], undone: string): Promise<void> {
      await db.query('update import_outcomes set undone = $3 where job_id = $1 and entity_id = any($2)', [
        jobId,
        entityIds,
        undone,
      ])
    },
  }
}
