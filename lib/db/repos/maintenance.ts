// What keeps a server in order: which server runs which background job and what waits, what is removed of conversations
// (the words of deleted ones, old logs of turns, old records of tool calls), and what Postgres plans with.

import type { Queryable } from '../pool.ts'
import type { LeaseTerms } from './turns.ts'

/** Where the words of a conversation stand, by its turns. What an answer of a source was kept as, and drafts rest on, stays. */
const ofTurns = [
  'turn_events where true',
  'turn_steps where true',
  'tool_calls where true',
  `tool_results where kept_as is null
     and not exists (select from pending_changes where pending_changes.turn_id = tool_results.turn_id)`,
]

export function createRetentionRepo(db: Queryable) {
  return {
    /**
     * Of the conversations deleted before `before`, the words of at most `limit`: messages, steps, logs, calls and names.
     * Their rows stay for what they used, and for the drafts made in them. How many there were. In a transaction.
     */
    async purgeConversations(before: Date, limit: number): Promise<number> {
      const { rows } = await db.query<{ id: string }>(
        `update conversations
         set purged_at = now(), title = '', summary = '', running_summary = '', summarized_until = null
         where id in (
           select id
           from conversations
           where deleted_at < $1 and purged_at is null
             and not exists (
               select from turns where conversation_id = conversations.id and status in ('queued', 'running')
             )
           order by deleted_at
           limit $2
           for update skip locked
         )
         returning id`,
        [before, limit],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await db.query('delete from messages where conversation_id = any($1)', [ids])
      await db.query('delete from conversation_attachments where conversation_id = any($1)', [ids])
      await db.query(
        `update routing_decisions
         set known = '[]', reason = '', answer = null
         where conversation_id = any($1)`,
        [ids],
      )
      for (const words of ofTurns) {
        await db.query(
          `delete from ${words} and turn_id in (select id from turns where conversation_id = any($1))`,
          [ids],
        )
      }
      return ids.length
    },

    /**
     * Drops the logs, but for their first and last rows, of the next `limit` turns that ended after `after` (`null`: from
     * the first on) and not after `until`: what was said is in the messages. `last` is where to go on from, `null` at the
     * end.
     */
    async pruneLogs(
      { after, until }: { after: string | null; until: string },
      limit: number,
    ): Promise<{ removed: number; last: string | null }> {
      const { rows } = await db.query<{ removed: number; last: string | null }>(
        `with ended as materialized (
           select id, finished_at
           from turns
           where finished_at > coalesce($1::timestamptz, '-infinity') and finished_at <= $2::timestamptz
           order by finished_at
           fetch first ($3) rows with ties
         ), removed as (
           delete from turn_events
           using ended
           where turn_id = ended.id and type not in ('turn', 'done', 'error')
           returning 1
         )
         select (select count(*) from removed)::integer as removed,
           (select max(finished_at) from ended)::text as last`,
        [after, until, limit],
      )
      return rows[0]!
    },

    /**
     * When the latest turn ended whose log no longer fits: those of the turns since `since` are counted from the newest
     * on. `null`: all fit.
     */
    async findExcessLogs(since: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ ended: string }>(
        `select finished_at::text as ended
         from (
           select finished_at, sum(bytes) over (order by finished_at desc, id desc) as total
           from (
             select id, finished_at,
               (select coalesce(sum(octet_length(data)), 0) from turn_events where turn_id = turns.id) as bytes
             from turns
             where finished_at > $1
           ) as logs
         ) as summed
         where total > $2
         order by finished_at desc
         limit 1`,
        [since, maxBytes],
      )
      return rows[0]?.ended ?? null
    },

    /** Removes records of calls made until `until`, at most `limit`. How many there were. */
    async pruneCalls(until: Date | string, limit: number): Promise<number> {
      const { rowCount } = await db.query(
        `delete from tool_calls
         where id in (select id from tool_calls where created_at <= $1::timestamptz order by created_at limit $2)`,
        [until, limit],
      )
      return rowCount ?? 0
    },

    /**
     * When the latest record was made that no longer fits and is from before `before`: their texts are counted from the
     * newest on. `null`: all fit.
     */
    async findExcessCalls(before: Date, maxBytes: number): Promise<string | null> {
      const { rows } = await db.query<{ made: string }>(
        `select created_at::text as made
         from (
           select created_at, sum(bytes) over (order by created_at desc, id desc) as total
           from (
             select id, created_at,
               octet_length(arguments::text) + octet_length(result) + coalesce(octet_length(passage), 0) as bytes
             from tool_calls
           ) as texts
         ) as summed
         where total > $2 and created_at < $1
         order by created_at desc
         limit 1`,
        [before, maxBytes],
      )
      return rows[0]?.made ?? null
    },
  }
}

/** What imports and mail fill. */
const filledTables = [
  ...['pages', 'tasks', 'projects', 'refs', 'resources', 'source_docs'],
  ...['entity_names', 'links', 'import_files'],
  ...['mail_threads', 'mail_messages', 'mail_references', 'mail_locations', 'mail_imported_places'],
]

/**
 * Renews the statistics of what imports and mail fill, after much has come in. PGlite has no autovacuum, and a prepared
 * statement keeps the plan that was made while its tables were small, which reads them from end to end, until their
 * statistics change. Passages have their own (`vacuumChunks`).
 */
export const analyzeFilledTables = (db: Queryable): Promise<void> => analyze(db, filledTables)

/** Renews the statistics of everything, which on PGlite nothing else does. */
export const analyzeAllTables = (db: Queryable): Promise<void> => analyze(db, null)

/** An empty table is left out: it would be taken for empty from then on. */
async function analyze(db: Queryable, tables: readonly string[] | null): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select quote_ident(relname) as name
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
       and relname <> 'chunks' and ($1::text[] is null or relname = any($1))`,
    [tables],
  )
  if (rows.length > 0) await db.query(`analyze ${rows.map(({ name }) => name).join(', ')}`)
}

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
