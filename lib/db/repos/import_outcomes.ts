import type { FileOutcome, JobFile } from '../../contract/imports.ts'
import type { Queryable } from '../pool.ts'

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

    async markUndone(jobId: string, entityIds: readonly string[], undone: string): Promise<void> {
      await db.query('update import_outcomes set undone = $3 where job_id = $1 and entity_id = any($2)', [
        jobId,
        entityIds,
        undone,
      ])
    },
  }
}
