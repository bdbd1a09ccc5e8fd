// What the home of a Space shows, and its tasks across their statuses.

import type { Kind } from '../../contract/entities/kind.ts'
import type { Task, TaskStatus } from '../../contract/entities.ts'
import type { DueTask, Reminders, SpaceOverview, TaskRow, Today } from '../../contract/space/home.ts'
import type { Queryable } from '../pool.ts'
import { boundedCount } from './page_tree.ts'

/** What the home of a Space shows, besides what the other repos have. */
export function createOverviewRepo(db: Queryable) {
  return {
    /** Those written last, wherever that was; not the guide, nor an import's pages of folders. */
    async listRecentPages(spaceId: string, limit: number) {
      const { rows } = await db.query<{ id: string; title: string; updated_at: string; updated_by: string }>(
        `(
           select id, title, updated_at, updated_by
           from pages
           where space_id = $1 and deleted_at is null and updated_by not in ('system:import', 'system:welcome')
           order by updated_at desc, id desc
           limit $2
         )
         union all
         (
           select id, title, updated_at, updated_by
           from pages
           where space_id = $1 and deleted_at is null and updated_by = 'system:import' and body <> ''
           order by updated_at desc, id desc
           limit $2
         )
         order by updated_at desc, id desc
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    /** The thread that was used last, and the import that ended last, for a week. */
    async findResumable(spaceId: string): Promise<Pick<SpaceOverview, 'thread' | 'imported'>> {
      const threads = await db.query<NonNullable<SpaceOverview['thread']>>(
        `select id, title, last_activity_at
         from conversations
         where space_id = $1 and status = 'active' and deleted_at is null
           and exists (select from messages where conversation_id = conversations.id)
         order by last_activity_at desc, id desc
         limit 1`,
        [spaceId],
      )
      const imports = await db.query<NonNullable<SpaceOverview['imported']>>(
        `select source, updated_at as at
         from (
           select source, updated_at, state
           from import_jobs
           where space_id = $1 and state not in ('open', 'previewing', 'previewed', 'running')
           order by id desc
           limit 1
         ) as latest
         where state = 'done' and updated_at > now() - interval '7 days'`,
        [spaceId],
      )
      return { thread: threads.rows[0] ?? null, imported: imports.rows[0] ?? null }
    },

    /** Tasks that are not over, the ones due first first, then the urgent ones. */
    async listOpenTasks(spaceId: string, limit: number): Promise<Task[]> {
      const { rows } = await db.query<Task>(
        `select id, space_id, version, created_at, updated_at, created_by, updated_by, origin, deleted_at,
                title, body, status, priority, due_on, recurrence, remind_at, project_id
         from tasks
         where space_id = $1 and deleted_at is null and status in ('open', 'in_progress')
         order by due_on nulls last, array_position(array['urgent', 'high', 'normal', 'low'], priority), id
         limit $2`,
        [spaceId, limit],
      )
      return rows
    },

    /** The titles of entities by id, deleted ones included. */
    async titlesOf(
      kinds: readonly Kind[],
      spaceId: string,
      ids: readonly string[],
    ): Promise<Map<string, string>> {
      const each = kinds.map(
        ({ table }) => `select id, title from ${table} where space_id = $1 and id = any($2)`,
      )
      const { rows } = await db.query<{ id: string; title: string }>(each.join(' union all '), [spaceId, ids])
      return new Map(rows.map(({ id, title }) => [id, title]))
    },

    /** Passages of the pages changed last, one of each, with the innermost heading where there is one. */
    async listRecentHeadings(
      spaceId: string,
      { limit, notBelow }: { limit: number; notBelow: string },
    ): Promise<{ title: string; heading: string | null }[]> {
      const { rows } = await db.query<{ title: string; heading: string | null }>(
        `select recent.title, passage.heading
         from (
           (
             select id, title, updated_at
             from pages
             where space_id = $1 and updated_by <> 'system:import' and ${hasHeadings}
           )
           union all
           (
             select id, title, updated_at
             from pages
             where space_id = $1 and updated_by = 'system:import' and ${hasHeadings}
           )
           order by updated_at desc, id desc
           limit $2
         ) as recent
         left join lateral (
           select heading_path[cardinality(heading_path)] as heading
           from chunks
           where chunks.entity_id = recent.id and cardinality(heading_path) > 0
           order by ordinal
           limit 1
         ) as passage on true
         order by recent.updated_at desc, recent.id desc`,
        [spaceId, limit, notBelow],
      )
      return rows
    },

    /** At most `maxCounted` + 1. */
    async countPending(spaceId: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select ${boundedCount(`from pending_changes where space_id = $1 and status = 'pending'`)} as count`,
        [spaceId],
      )
      return rows[0]?.count ?? 0
    },
  }
}

/** Of a page that may have some, newest first; not one right below the page that is named. */
const hasHeadings = `deleted_at is null and body <> ''
  and (
    select lower(parent.title) from pages parent where parent.id = pages.parent_id and parent.space_id = $1
  ) is distinct from lower($3)
  order by updated_at desc, id desc
  limit $2`

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
