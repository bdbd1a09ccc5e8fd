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
  }
}
