import type { Queryable } from '../pool.ts'
import type { LeaseTerms } from './turns.ts'

/** Which server runs which background job, and for how long without a sign of life. */
export function createJobLeasesRepo(db: Queryable) {
  return {
    /** Takes the lease, or renews it. False while it is another owner's. */
    async hold({ name, owner, seconds }: LeaseTerms & { name: string }): Promise<boolean> {
      const { rows } = await db.query(
        `insert into job_leases (name, owner, lease_until)
         values ($1, $2, now() + make_interval(secs => $3))
         on conflict (name) do update
         set owner = excluded.owner, lease_until = excluded.lease_until
         where job_leases.owner = excluded.owner or job_leases.lease_until < now()
         returning name`,
        [name, owner, seconds],
      )
      return rows.length > 0
    },

    /** Lets another server take the lease at once. The row stays, so that a lease costs no new index entry. */
    async release({ name, owner }: { name: string; owner: string }): Promise<void> {
      await db.query(
        `update job_leases
         set lease_until = '-infinity'
         where name = $1 and owner = $2`,
        [name, owner],
      )
    },

    /** Removes a lease that its owner has released, of a name that is not used again and again. */
    async remove({ name, owner }: { name: string; owner: string }): Promise<void> {
      await db.query('delete from job_leases where name = $1 and owner = $2', [name, owner])
    },
  }
}

/** What waits in all Spaces of this database, whichever server is to do it. */
export type ServerLoad = {
  queued_turns: number
  /** Of the message that has waited longest; 0: none waits. */
  queued_seconds: number
  running_turns: number
  pending_changes: number
  imports: number
  calls: number
  replies: number
}

/** One statement, which reads no more than what waits: for somebody who asks every few seconds. */
export async function loadServerLoad(db: Queryable): Promise<ServerLoad> {
  const { rows } = await db.query<ServerLoad>(
    `select
       (select count(*)::integer from turns where status = 'queued') as queued_turns,
       (select coalesce(greatest(0, extract(epoch from now() - min(created_at))), 0)::float8
        from turns
        where status = 'queued') as queued_seconds,
       (select count(*)::integer from turns where status = 'running') as running_turns,
       (select count(*)::integer from pending_changes where status = 'pending') as pending_changes,
       (select count(*)::integer from import_jobs where state in ('previewing', 'running', 'undoing')) as imports,
       (select count(*)::integer from call_runs where state in ('approved', 'running')) as calls,
       (select count(*)::integer from reply_deliveries where state = 'waiting') as replies`,
  )
  return rows[0]!
}

/** The names of the background jobs that a server works at. */
export async function listHeldJobs(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name
     from job_leases
     where lease_until > now() and name not like '%:%'
     order by name`,
  )
  return rows.map(({ name }) => name)
}
