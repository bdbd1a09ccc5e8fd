import type { TaskStatus } from '../../contract/entities.ts'
import type { DueTask, Reminders, TaskRow, Today } from '../../contract/space/home.ts'
import type { Queryable } from '../pool.ts'

export type TaskFilter = {
  space_id: string
  project_id: string | null
  priority: string | null
  /** Due on one of these days or between them; an open end is `null`. */
  due_from: string | null
  due_to: string | null
  /** Only those without a due date. */
  undated: boolean
}

type DueRow = Omit<DueTask, 'space'> & { space_name: string; space_slug: string; count: number }

/** Tasks across their statuses. */
export function createTasksRepo(db: Queryable) {
  return {
    /** The tasks of a project in the order they were made, at most `limit`. */
    async listOfProject(spaceId: string, projectId: string, limit: number) {
      const { rows } = await db.query<{ id: string; title: string; status: string; due_on: string | null }>(
        `select id, title, status, due_on
         from tasks
         where space_id = $1 and project_id = $2 and deleted_at is null
         order by id
         limit $3`,
        [spaceId, projectId, limit],
      )
      return rows
    },

    /** Those still to do that are due by a day in these Spaces, the longest overdue first; `count` is of all. */
    async listDue(
      spaceIds: readonly string[],
      day: string,
      limit: number,
    ): Promise<Pick<Today, 'tasks' | 'count'>> {
      const { rows } = await db.query<DueRow>(
        `select ${dueColumns}
         from tasks
         join spaces on spaces.id = tasks.space_id
         where tasks.space_id = any($1) and tasks.deleted_at is null
           and status in ('open', 'in_progress') and due_on <= $2::date
         order by due_on, array_position(array['urgent', 'high', 'normal', 'low'], priority), tasks.id
         limit $3`,
        [spaceIds, day, limit],
      )
      return { tasks: rows.map(withSpace), count: rows[0]?.count ?? 0 }
    },

    /** Those still to do whose reminder has come by a moment, the latest first, and when the next one comes. */
    async listReminders(spaceIds: readonly string[], by: string, limit: number): Promise<Reminders> {
      const due = await db.query<DueRow>(
        `select ${dueColumns}
         from tasks
         join spaces on spaces.id = tasks.space_id
         where tasks.space_id = any($1) and tasks.deleted_at is null
           and status in ('open', 'in_progress') and remind_at <= $2
         order by remind_at desc, tasks.id
         limit $3`,
        [spaceIds, by, limit],
      )
      const next = await db.query<{ next_at: string | null }>(
        `select min(remind_at) as next_at
         from tasks
         where space_id = any($1) and deleted_at is null
           and status in ('open', 'in_progress') and remind_at > $2`,
        [spaceIds, by],
      )
      return {
        tasks: due.rows.map(withSpace),
        count: due.rows[0]?.count ?? 0,
        next_at: next.rows[0]?.next_at ?? null,
      }
    },

    async countByStatus(filter: TaskFilter): Promise<Map<string, number>> {
      const { rows } = await db.query<{ status: string; count: number }>(
        `select status, count(*)::integer as count
         from tasks
         where ${matching}
         group by status`,
        valuesOf(filter),
      )
      return new Map(rows.map(({ status, count }) => [status, count]))
    },

    /** Those still to do by due date and priority; those that are over by their last change. */
    async listByStatus(filter: TaskFilter, status: TaskStatus, limit: number): Promise<TaskRow[]> {
      const order = status === 'open' || status === 'in_progress' ? byUrgency : 'updated_at desc, id desc'
      const { rows } = await db.query<TaskRow>(
        `select id, space_id, version, created_at, updated_at, created_by, updated_by, origin, deleted_at,
                title, status, priority, due_on, recurrence, remind_at, project_id
         from tasks
         where ${matching} and status = $7
         order by ${order}
         limit $8`,
        [...valuesOf(filter), status, limit],
      )
      return rows
    },
  }
}

const dueColumns = `tasks.id, tasks.space_id, tasks.version, tasks.title, status, priority, due_on, recurrence, remind_at,
                spaces.name as space_name, spaces.slug as space_slug, count(*) over ()::integer as count`

const withSpace = <Row extends DueRow>({ count: _, space_name, space_slug, ...task }: Row) => ({
  ...task,
  space: { name: space_name, slug: space_slug },
})

const byUrgency = `due_on nulls last, array_position(array['urgent', 'high', 'normal', 'low'], priority), id`

const matching = `space_id = $1 and deleted_at is null
           and ($2::uuid is null or project_id = $2)
           and ($3::text is null or priority = $3)
           and ($4::date is null or due_on >= $4)
           and ($5::date is null or due_on <= $5)
           and (not $6::boolean or due_on is null)`

const valuesOf = ({ space_id, project_id, priority, due_from, due_to, undated }: TaskFilter) => [
  space_id,
  project_id,
  priority,
  due_from,
  due_to,
  undated,
]
