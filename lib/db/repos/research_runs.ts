import type {
  ResearchAnswer,
  ResearchConflict,
  ResearchItem,
  ResearchPlan,
  ResearchScores,
} from '../../contract/research.ts'
import type { Queryable } from '../pool.ts'

/** What the last verification came to. */
export type StoredVerification = {
  scores: ResearchScores | null
  conflicts: ResearchConflict[]
  passed: boolean
}

export type ResearchRunRow = ResearchItem & {
  agent_id: string
  first_turn_id: string
  plan: ResearchPlan | null
  /** What the owner wants otherwise in the plan; `null` once it was made anew. */
  change: string | null
  /** The message for which the owner may leave the run, to be confirmed; '' once they stayed; `null` for none. */
  break_out: string | null
  budget_usd: number
  budget_tokens: number
  verification: StoredVerification | null
  answer: ResearchAnswer | null
  summary: string
  pending_change_id: string | null
  error: { code: string; message: string } | null
}

export type NewResearchRun = Pick<
  ResearchRunRow,
  | 'id'
  | 'space_id'
  | 'conversation_id'
  | 'agent_id'
  | 'first_turn_id'
  | 'previous_id'
  | 'asked_by'
  | 'title'
  | 'question'
  | 'depth'
  | 'labels'
  | 'plan'
  | 'budget_usd'
  | 'budget_tokens'
>

export type LastSummary = {
  summary: string
  /** Other runs of the conversation, newest first. */
  others: { title: string; status: ResearchItem['status'] }[]
  /** `lines`: what its passages say, in short. */
  outside: { entity_type: string; entity_id: string; title: string; lines: string }[]
}

/** Sources from outside that a summary names. */
const maxOutside = 50

/** What the owner says of a run; `undefined` leaves what it is. */
export type RunDescription = {
  title?: string | undefined
  archived?: boolean | undefined
  labels?: string[] | undefined
}

export type ResearchListFilter = {
  space_id: string
  /** Words of the title or the question; '' for all. */
  q: string
  /** '' for any. */
  label: string
  archived: boolean
  /** Of which this page was drafted; `null` for all. */
  page_id: string | null
  before_id: string | null
  limit: number
}

/** One whose turn has ended without ending it, as after too many crashes, counts as stopped. */
const status = `case when run.status = 'running' and not exists (
    select from turns where turns.id = run.turn_id and turns.status in ('queued', 'running')
  ) then 'stopped' else run.status end as status`

const outcome = `case when ${status.replace(/ as status$/, '')} = 'stopped' then 'stopped' else run.outcome end as outcome`

const item = `run.id, run.space_id, run.conversation_id, run.turn_id, run.previous_id, run.asked_by, run.title, run.question, run.depth,
  run.labels, ${status}, run.pause, ${outcome}, run.archived_at, run.created_at, run.updated_at, run.finished_at`

const columns = `${item}, run.agent_id, run.first_turn_id, run.plan, run.change, run.break_out, run.budget_usd, run.budget_tokens,
  run.verification, run.answer, run.summary, run.pending_change_id, run.error`

const inSpace = `exists (select from spaces where spaces.id = run.space_id and spaces.deleted_at is null)`

/** At most one run is open in a conversation (unique index `research_runs_one_open`). */
export function createResearchRunsRepo(db: Queryable) {
  async function first(where: string, values: unknown[], end = ''): Promise<ResearchRunRow | null> {
    const { rows } = await db.query<ResearchRunRow>(
      `select ${columns} from research_runs run where ${where} ${end}`,
      values,
    )
    return rows[0] ?? null
  }

  return {
    find: (id: string) => first(`run.id = $1 and ${inSpace}`, [id]),

    findInSpace: (id: string, spaceId: string) => first('run.id = $1 and run.space_id = $2', [id, spaceId]),

    findByFirstTurn: (turnId: string) => first('run.first_turn_id = $1', [turnId]),

    /** The one that waits for the owner in a conversation. */
    findPaused: (conversationId: string) =>
      first("run.conversation_id = $1 and run.status = 'paused'", [conversationId]),

    /**
     * What the last (other) run of a conversation came to that has an answer, or else the last with a summary; its
     * passages' sources from outside, and the other runs there.
     */
    async findLastSummary(
      conversationId: string,
      exceptId: string | null = null,
    ): Promise<LastSummary | null> {
      const { rows } = await db.query<LastSummary>(
        `select run.summary, coalesce((
           select json_agg(source)
           from (
             select entity_type, entity_id, min(title) as title,
               left(string_agg(concat_ws(E'\\n', left(text, 300), quotes[1]), E'\\n' order by position), 4000) as lines
             from research_evidence
             where run_id = run.id and untrusted
             group by entity_type, entity_id
             order by min(position)
             limit $2
           ) as source
         ), '[]'::json) as outside, coalesce((
           select json_agg(other)
           from (
             select other.title, other.status
             from research_runs other
             where other.conversation_id = $1 and other.id <> run.id and ($3::uuid is null or other.id <> $3)
             order by other.id desc
             limit 5
           ) as other
         ), '[]'::json) as others
         from research_runs run
         where run.conversation_id = $1 and run.summary <> '' and ($3::uuid is null or run.id <> $3)
           and not exists (select from turns where turns.id = run.first_turn_id and turns.aside_with is not null)
         order by (run.answer is not null and run.outcome <> 'nothing_found') desc, run.id desc
         limit 1`,
        [conversationId, maxOutside, exceptId],
      )
      return rows[0] ?? null
    },

    /** Lets one transaction at a time decide how it goes on. */
    async lock(id: string, spaceId: string): Promise<ResearchRunRow | null> {
      await db.query('select from research_runs where id = $1 and space_id = $2 for update', [id, spaceId])
      return await this.findInSpace(id, spaceId)
    },

    /** Rejects with a unique violation of `research_runs_one_open` while another one is open there. */
    async insert(run: NewResearchRun): Promise<ResearchRunRow> {
      await db.query(
        `insert into research_runs
           (id, space_id, conversation_id, agent_id, first_turn_id, turn_id, previous_id, title, question, depth, plan,
            budget_usd, budget_tokens, labels, asked_by)
         values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          ...[run.id, run.space_id, run.conversation_id, run.agent_id, run.first_turn_id, run.previous_id],
          ...[run.title, run.question, run.depth, run.plan && JSON.stringify(run.plan)],
          ...[run.budget_usd, run.budget_tokens, run.labels, run.asked_by],
        ],
      )
      return (await this.findByFirstTurn(run.first_turn_id))!
    },

    /** Ends what still counts as running in a conversation although its turn has ended. */
    async releaseAbandoned(conversationId: string): Promise<void> {
      await db.query(
        `update research_runs
         set status = 'stopped', updated_at = now()
         where conversation_id = $1 and status = 'running' and not exists (
           select from turns where turns.id = turn_id and turns.status in ('queued', 'running')
         )`,
        [conversationId],
      )
    },

    /** Everything of it that changes while it runs. */
    async save(run: ResearchRunRow): Promise<void> {
      await db.query(
        `update research_runs
         set turn_id = $2, depth = $3, status = $4, pause = $5, outcome = $6, plan = $7, change = $8, budget_usd = $9,
             budget_tokens = $10, verification = $11, answer = $12, summary = $13, pending_change_id = $14, error = $15,
             break_out = $16,
             updated_at = now(), finished_at = case when $4 = 'done' then coalesce(finished_at, now()) end
         where id = $1`,
        [
          ...[
            run.id,
            run.turn_id,
            run.depth,
            run.status,
            run.pause,
            run.status === 'done' ? run.outcome : null,
          ],
          ...[json(run.plan), run.change, run.budget_usd, run.budget_tokens, json(run.verification)],
          ...[json(run.answer), run.summary, run.pending_change_id, json(run.error), run.break_out],
        ],
      )
    },

    /** One that waits, as `lock` does; `null` for any other. */
    async lockPaused(id: string): Promise<ResearchRunRow | null> {
      const { rows } = await db.query(
        "select from research_runs where id = $1 and status = 'paused' for update",
        [id],
      )
      return rows[0] ? await this.find(id) : null
    },

    /** `undefined` leaves what it is. */
    async describe(id: string, { title, archived, labels }: RunDescription): Promise<ResearchRunRow | null> {
      await db.query(
        `update research_runs
         set title = coalesce($2, title), labels = coalesce($4::text[], labels), updated_at = now(), archived_at = case
           when $3::boolean is null then archived_at
           when $3 then coalesce(archived_at, now())
         end
         where id = $1`,
        [id, title ?? null, archived ?? null, labels ?? null],
      )
      return await this.find(id)
    },

    /**
     * Tokens that the runs of an external agent have used since a time, in whatever Space, and whether one is running. A call
     * under way counts at what is reserved for it.
     */
    async findUse(agentId: string, since: string | Date): Promise<{ tokens: number; is_running: boolean }> {
      const { rows } = await db.query<{ tokens: number; is_running: boolean }>(
        `select
           (select coalesce(sum(case when stage.status = 'started' then reserved_tokens else tokens end), 0)::float8
            from research_stages stage
            join research_runs run on run.id = stage.run_id
            where run.asked_by = $1 and stage.started_at >= $2) as tokens,
           exists (select from research_runs run
            join turns on turns.id = run.turn_id and turns.status in ('queued', 'running')
            where run.asked_by = $1 and run.status = 'running') as is_running`,
        [agentId, since],
      )
      return rows[0]!
    },

    /** Which of these entities are pages that runs drafted. */
    async listDrafted(spaceId: string, entityIds: readonly string[]): Promise<Set<string>> {
      const { rows } = await db.query<{ entity_id: string }>(
        `select draft.entity_id
         from research_runs run
         join pending_changes draft on draft.id = run.pending_change_id
         where run.space_id = $1 and draft.entity_id = any($2::uuid[])`,
        [spaceId, entityIds],
      )
      return new Set(rows.map(({ entity_id }) => entity_id))
    },

    /** Newest first. */
    async list(filter: ResearchListFilter): Promise<ResearchItem[]> {
      const { rows } = await db.query<ResearchItem>(
        `select ${item}
         from research_runs run
         where run.space_id = $1 and (run.archived_at is not null) = $2 and ($3::uuid is null or run.id < $3)
           and ($7 = '' or lower($7) = any (lower(run.labels::text)::text[]))
           and ($4 = '' or position(lower($4) in lower(run.title || ' ' || run.question)) > 0)
           and ($6::uuid is null or exists (
             select from pending_changes draft where draft.id = run.pending_change_id and draft.entity_id = $6
           ))
         order by run.id desc
         limit $5`,
        [
          ...[filter.space_id, filter.archived, filter.before_id, filter.q, filter.limit],
          ...[filter.page_id, filter.label],
        ],
      )
      return rows
    },
  }
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
