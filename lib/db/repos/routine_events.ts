// What routines run after: mail, changed pages, imports that ended. In queries of `routines`.

import type { Queryable } from '../pool.ts'
import { runOfTurn } from './conversations.ts'

/** What happened that a routine runs after. */
export type RoutineEvent = { kind: 'mail_thread' | 'page' | 'import'; id: string }

/** Every event before this is stored: what is written in a transaction bears times of since its begin. */
export const eventsEnd = `least(
  now(),
  (
    select min(xact_start) - interval '1 microsecond'
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and xact_start > now() - interval '1 hour'
  )
)`

/** What is no event of a routine: mail from before it, which a new account brings, and imported mail. */
const mailEvents = `select created_at as at, 'mail_thread' as kind, thread_id as id
  from mail_messages
  where routines.event = 'mail' and mail_messages.space_id = routines.space_id and direction = 'received'
    and not imported and created_at > routines.events_until
    and sent_at >= routines.created_at - interval '1 day'`

const pageEvents = `select audit_log.at, 'page' as kind, entity_id as id
  from audit_log
  where routines.event = 'page' and audit_log.space_id = routines.space_id
    and audit_log.at > routines.events_until and entity_type = 'page'
    and audit_log.action <> 'redact'`

const importEvents = `select updated_at as at, 'import' as kind, id
  from import_jobs
  where routines.event = 'import' and import_jobs.space_id = routines.space_id and state = 'done'
    and updated_at > routines.events_until`

const anyEvents = [mailEvents, pageEvents, importEvents]

/** Along indexes, for each routine. */
export const hasNews = `(${anyEvents.map((events) => `exists (${events})`).join(' or ')})`

/** Every word is in the sender's name or address. */
const isFromSender = `not exists (
  select from unnest(string_to_array(lower(routines.filter), ' ')) as word
  where strpos(lower(from_name || ' ' || from_address), word) = 0
)`

/** Neither by a draft of a routine, nor by taking one back: no routine sets off itself or another one. */
const isOfNoRoutine = `not exists (
  select from pending_changes
  join turns on turns.id = pending_changes.turn_id
  join routine_runs on routine_runs.id = ${runOfTurn}
  where pending_changes.id in (
    audit_log.pending_change_id,
    (select undone.pending_change_id from audit_log as undone where undone.seq = audit_log.undoes)
  )
)`

const isUnder = `(
  routines.filter = ''
  or exists (
    with recursive above as (
      select parent_id, 1 as steps from pages where id = audit_log.entity_id
      union all
      select pages.parent_id, steps + 1
      from above
      join pages on pages.id = above.parent_id
      where steps < 100
    )
    select from above
    join pages on pages.id = above.parent_id
    where lower(pages.title) = lower(routines.filter)
  )
)`

export const matching = [
  `${mailEvents} and ${isFromSender}`,
  `${pageEvents} and ${isOfNoRoutine} and ${isUnder}`,
  importEvents,
].join(' union all ')

export function createRoutineEventsRepo(db: Queryable) {
  return {
    /** What set off a run after an event: what matches since the run before, the latest first. */
    async listOf(runId: string, limit: number): Promise<RoutineEvent[]> {
      const { rows } = await db.query<RoutineEvent>(
        `select events.kind, events.id
         from routine_runs
         join routines on routines.id = routine_runs.routine_id
         cross join lateral (
           select coalesce(max(before.started_at), routines.created_at) as since
           from routine_runs as before
           where before.routine_id = routines.id and before.id <> routine_runs.id and before.started_by = 'event'
             and before.due_at < routine_runs.due_at
         ) as bound
         cross join lateral (${matching.replaceAll('routines.events_until', 'bound.since')}) as events
         where routine_runs.id = $1 and started_by = 'event' and events.at <= routine_runs.started_at
         group by events.kind, events.id
         order by max(events.at) desc
         limit $2`,
        [runId, limit],
      )
      return rows
    },
  }
}
