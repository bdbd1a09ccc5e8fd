// What ready-made routines look at, and what each has already told.

import type { ReadyName } from '../../contract/companion/ready-routines.ts'
import type { Citation } from '../../contract/events/events.ts'
import type { Queryable } from '../pool.ts'

export type DatedPage = {
  id: string
  title: string
  body: string
  created_at: string
  updated_at: string
}

/** An answer with what it cites, or a run of research with its evidence. */
export type CitedAnswer = {
  id: string
  conversation_id: string
  title: string
  created_at: string
  citations: Pick<Citation, 'kind' | 'id' | 'cited_text' | 'title'>[]
}

export type NamedRow = { id: string; title: string; at: string | null }

/** Rows of a passage count that are looked at: a name of more passages tells nothing. */
const maxCounted = 2000

export function createReadyRoutinesRepo(db: Queryable) {
  const all = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    (await db.query<Row>(text, values)).rows

  return {
    /** Pages whose passages were written after a revision of the index, the earliest first, with their last revision. */
    listChanged: (spaceId: string, since: string, limit: number) =>
      all<{ id: string; revision: string }>(
        `select entity_id as id, max(revision)::text as revision
         from chunks
         where space_id = $1 and entity_type = 'page' and revision > $2::bigint
         group by entity_id
         order by max(revision)
         limit $3`,
        [spaceId, since, limit],
      ),

    /** The first passages of a page. */
    async listPassages(spaceId: string, pageId: string, limit: number): Promise<string[]> {
      const rows = await all<{ text: string }>(
        'select text from chunks where space_id = $1 and entity_id = $2 order by ordinal limit $3',
        [spaceId, pageId, limit],
      )
      return rows.map(({ text }) => text)
    },

    listPages: (spaceId: string, ids: readonly string[]) =>
      all<DatedPage>(
        `select id, title, body, created_at, updated_at
         from pages
         where space_id = $1 and id = any($2) and deleted_at is null
           and not exists (select from memory_pages where page_id = pages.id)`,
        [spaceId, ids],
      ),

    /** In how many passages of pages each word is, and how many there are. */
    async countPassages(
      spaceId: string,
      words: readonly string[],
    ): Promise<{ total: number; counts: ReadonlyMap<string, number> }> {
      const [total, counted] = await Promise.all([
        all<{ count: number }>(
          "select count(*)::integer as count from chunks where space_id = $1 and entity_type = 'page'",
          [spaceId],
        ),
        all<{ word: string; count: number }>(
          `select word,
             (
               select count(*)::integer
               from (
                 select
                 from chunks
                 where entity_type <> 'conversation' and space_id = $1
                   and words_in_space(tsv, space_id) @@ within_spaces(
                     plainto_tsquery('english', word) || plainto_tsquery('simple', word), array[$1::uuid]
                   )
                 limit ${maxCounted}
               ) as found
             ) as count
           from unnest($2::text[]) as word`,
          [spaceId, words],
        ),
      ])
      return { total: total[0]!.count, counts: new Map(counted.map(({ word, count }) => [word, count])) }
    },

    /** The page that the routine has made for its findings, and the owner has approved and not deleted. */
    async findLedger(spaceId: string): Promise<string | null> {
      const rows = await all<{ id: string }>(
        `select pages.id
         from routines
         join routine_runs on routine_runs.routine_id = routines.id
         join pending_changes on pending_changes.turn_id = routine_runs.turn_id
         join pages on pages.space_id = routines.space_id and pages.id = pending_changes.entity_id
         where routines.space_id = $1 and ready = 'contradictions' and action = 'create' and entity_type = 'page'
           and pages.deleted_at is null
         order by pages.created_at
         limit 1`,
        [spaceId],
      )
      return rows[0]?.id ?? null
    },

    async seenRevision(turnId: string): Promise<string> {
      const rows = await all<{ seen: string }>(
        `select seen_revision::text as seen
         from routines
         join routine_runs on routine_runs.routine_id = routines.id
         where turn_id = $1`,
        [turnId],
      )
      return rows[0]?.seen ?? '0'
    },

    async setSeenRevision(turnId: string, revision: string): Promise<void> {
      await db.query(
        `update routines
         set seen_revision = greatest(seen_revision, $2::bigint)
         where id = (select routine_id from routine_runs where turn_id = $1)`,
        [turnId, revision],
      )
    },

    /** Those among the keys that were told. */
    async listTold(spaceId: string, ready: ReadyName, keys: readonly string[]): Promise<Set<string>> {
      const rows = await all<{ key: string }>(
        'select key from routine_findings where space_id = $1 and ready = $2 and key = any($3)',
        [spaceId, ready, keys],
      )
      return new Set(rows.map(({ key }) => key))
    },

    async setTold(spaceId: string, ready: ReadyName, keys: readonly string[]): Promise<void> {
      await db.query(
        `insert into routine_findings (space_id, ready, key)
         select $1, $2, key
         from unnest($3::text[]) as key
         on conflict do nothing`,
        [spaceId, ready, keys],
      )
    },

    /** The latest answers that cite something, and the evidence that answers of research rest on. */
    async listCited(spaceId: string, limit: number): Promise<CitedAnswer[]> {
      const answers = await all<CitedAnswer>(
        `select messages.id, conversation_id, conversations.title, messages.created_at,
           messages.metadata -> 'citations' as citations
         from messages
         join conversations on conversations.id = conversation_id
         where conversations.space_id = $1 and role = 'assistant'
           and json_typeof(messages.metadata -> 'citations') = 'array'
           and json_array_length(messages.metadata -> 'citations') > 0
         order by messages.seq desc
         limit $2`,
        [spaceId, limit],
      )
      const research = await all<CitedAnswer>(
        `select research_runs.id, research_runs.conversation_id, question as title, research_runs.created_at,
           json_agg(json_build_object(
             'kind', entity_type, 'id', entity_id, 'cited_text', coalesce(quotes[1], left(text, 500)), 'title', research_evidence.title
           )) as citations
         from research_runs
         join research_evidence on run_id = research_runs.id and n ~ '^[0-9]'
         where research_runs.space_id = $1
         group by research_runs.id
         order by research_runs.created_at desc
         limit $2`,
        [spaceId, limit],
      )
      return [...answers, ...research]
    },

    listDue: (spaceId: string, day: string, limit: number) =>
      all<NamedRow>(
        `select id, title, due_on::text as at
         from tasks
         where space_id = $1 and deleted_at is null and status in ('open', 'in_progress') and due_on <= $2::date
         order by due_on, id
         limit $3`,
        [spaceId, day, limit],
      ),

    /** Mail that nobody has answered yet, with its text. */
    listUnanswered: (spaceId: string, since: Date, limit: number) =>
      all<NamedRow & { text: string; from: string }>(
        `select id, title, sent_at as at, left(text, 20000) as text,
           coalesce(nullif(from_name, ''), from_address) as from
         from mail_messages
         where space_id = $1 and deleted_at is null and direction = 'received' and not automated and not imported
           and sent_at >= $2
           and not exists (
             select from mail_messages as later
             where later.thread_id = mail_messages.thread_id and later.sent_at > mail_messages.sent_at
               and later.deleted_at is null
           )
         order by sent_at desc
         limit $3`,
        [spaceId, since, limit],
      ),

    /** When each of these was changed here; what its row says may be the date of a file. */
    async lastChanges(spaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await all<{ id: string; at: string }>(
        `select entity_id as id, max(at) as at
         from audit_log
         where space_id = $1 and entity_id = any($2)
         group by entity_id`,
        [spaceId, ids],
      )
      return new Map(rows.map(({ id, at }) => [id, at]))
    },

    /** Pages that were changed, the latest first. */
    listChangedSince: (spaceId: string, since: Date, limit: number) =>
      all<NamedRow & { is_new: boolean }>(
        `select id, title, updated_at as at, created_at >= $2 as is_new
         from pages
         where space_id = $1 and deleted_at is null and updated_at >= $2
         order by updated_at desc
         limit $3`,
        [spaceId, since, limit],
      ),

    listUndated: (spaceId: string, limit: number) =>
      all<NamedRow>(
        `select id, title, null as at
         from tasks
         where space_id = $1 and deleted_at is null and status in ('open', 'in_progress') and due_on is null
         order by id
         limit $2`,
        [spaceId, limit],
      ),

    /** Active projects without an open task. */
    listStepless: (spaceId: string, limit: number) =>
      all<NamedRow>(
        `select id, title, null as at
         from projects
         where space_id = $1 and deleted_at is null and status = 'active'
           and not exists (
             select from tasks
             where tasks.project_id = projects.id and tasks.deleted_at is null
               and tasks.status in ('open', 'in_progress')
           )
         order by id
         limit $2`,
        [spaceId, limit],
      ),
  }
}
