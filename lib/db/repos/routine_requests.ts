import type { Queryable } from '../pool.ts'

export type RoutineRequestRow = {
  id: string
  space_id: string
  title: string
  body: string
  schedule: string
  time_zone: string
}

export function createRoutineRequestsRepo(db: Queryable) {
  return {
    /** Routines that were asked for in a message and approved, and are not made yet; each is taken by one server. */
    async take(spaceId: string | null, limit: number): Promise<RoutineRequestRow[]> {
      const { rows } = await db.query<RoutineRequestRow>(
        `update routine_requests
         set made_at = now()
         where id in (
           select id from routine_requests
           where made_at is null and deleted_at is null and ($1::uuid is null or space_id = $1)
           order by id
           limit $2
           for update skip locked
         )
         returning id, space_id, title, body, schedule, time_zone`,
        [spaceId, limit],
      )
      return rows
    },
  }
}
