import type { Usage } from '../../contract/events/events.ts'
import type { ResearchClaim, ResearchEvidence, ResearchStage } from '../../contract/research.ts'
import type { Queryable } from '../pool.ts'
import { isHeld, type Lease } from './turn_steps.ts'

/** A time that a stage was run. `result` is what the next ones work with. */
export type ResearchStageRow = ResearchStage & {
  run_id: string
  turn_id: string
  result: unknown
  reserved_tokens: number
  reserved_usd: number | null
  usage: Usage | null
}

export type StageEnd = Pick<ResearchStageRow, 'status' | 'summary' | 'counts' | 'result'>

/** What a call may cost at the most. `usd`: `null` where the model has no price. */
export type Reservation = { tokens: number; usd: number | null }

const columns = `run_id, seq, turn_id, stage, status, summary, counts, result, reserved_tokens, reserved_usd, usage,
  tokens, cost, started_at, finished_at`

/** The turn while it is still its runner's, whom nobody else can replace before the transaction ends. */
const lease = `select id
         from turns
         where id = $1 and attempt = $2 and lease_owner = $3 and ${isHeld}
         for share`

/** What a server left that died: its call counts as paid, at what was reserved for it. */
const closeStarted = `update research_stages
         set status = 'failed', summary = 'Interrupted.', tokens = reserved_tokens, cost = reserved_usd,
             finished_at = now()
         where run_id = $4 and status = 'started' and exists (select from lease)`

/** The stages of research runs, in the order in which they were run. */
export function createResearchStagesRepo(db: Queryable) {
  return {
    /** Whether the turn is still its runner's. */
    async holdsLease({ turn_id, attempt, owner }: Lease): Promise<boolean> {
      const { rows } = await db.query(lease, [turn_id, attempt, owner])
      return rows.length > 0
    },

    async list(runId: string): Promise<ResearchStageRow[]> {
      const { rows } = await db.query<ResearchStageRow>(
        `select ${columns} from research_stages where run_id = $1 order by seq`,
        [runId],
      )
      return rows
    },

    /** Begins a stage, and ends what a server that died left of another; `null` once the lease is lost. */
    async begin(
      { turn_id, attempt, owner }: Lease,
      { run_id, stage }: Pick<ResearchStageRow, 'run_id' | 'stage'>,
    ): Promise<ResearchStageRow | null> {
      const { rows } = await db.query<ResearchStageRow>(
        `with lease as (${lease}), closed as (${closeStarted})
         insert into research_stages (run_id, seq, turn_id, stage, status, summary, counts, result)
         select $4, coalesce(max(seq), 0) + 1, $1, $5, 'started', '', '{}', 'null'
         from research_stages
         where run_id = $4
         having exists (select from lease)
         returning ${columns}`,
        [turn_id, attempt, owner, run_id, stage],
      )
      return rows[0] ?? null
    },

    /** A stage that has ended, as one that nothing has to be waited for. */
    async insert(
      row: Pick<ResearchStageRow, 'run_id' | 'turn_id' | 'stage'> & StageEnd,
    ): Promise<ResearchStageRow> {
      const { rows } = await db.query<ResearchStageRow>(
        `insert into research_stages (run_id, seq, turn_id, stage, status, summary, counts, result, finished_at)
         select $1, coalesce(max(seq), 0) + 1, $2, $3, $4, $5, $6, $7, case when $4 <> 'started' then now() end
         from research_stages
         where run_id = $1
         returning ${columns}`,
        [
          ...[row.run_id, row.turn_id, row.stage, row.status, row.summary],
          ...[JSON.stringify(row.counts), JSON.stringify(row.result)],
        ],
      )
      return rows[0]!
    },

    /** Returns false once the lease is lost. */
    async reserve(
      { turn_id, attempt, owner }: Lease,
      { run_id, seq }: Pick<ResearchStageRow, 'run_id' | 'seq'>,
      { tokens, usd }: Reservation,
    ): Promise<boolean> {
      const { rows } = await db.query(
        `with lease as (${lease}), reserved as (
           update research_stages
           set reserved_tokens = $6, reserved_usd = $7
           where run_id = $4 and seq = $5 and status = 'started' and exists (select from lease)
         )
         select from lease`,
        [turn_id, attempt, owner, run_id, seq, tokens, usd],
      )
      return rows.length > 0
    },

    /** Ends a stage that has begun, and settles what its call has cost. One that has ended stays as it is. */
    async finish(
      { run_id, seq }: Pick<ResearchStageRow, 'run_id' | 'seq'>,
      end: StageEnd & Pick<ResearchStageRow, 'usage' | 'tokens' | 'cost'>,
    ): Promise<ResearchStageRow> {
      const { rows } = await db.query<ResearchStageRow>(
        `update research_stages
         set status = $3, summary = $4, counts = $5, result = $6, usage = $7, tokens = $8, cost = $9,
             finished_at = now()
         where run_id = $1 and seq = $2 and status = 'started'
         returning ${columns}`,
        [
          ...[run_id, seq, end.status, end.summary, JSON.stringify(end.counts), JSON.stringify(end.result)],
          ...[end.usage && JSON.stringify(end.usage), end.tokens, end.cost],
        ],
      )
      return rows[0] ?? (await this.list(run_id)).find((row) => row.seq === seq)!
    },

    /** Returns false once the lease is lost. */
    async closeInterrupted({ turn_id, attempt, owner }: Lease, runId: string): Promise<boolean> {
      const { rows } = await db.query(
        `with lease as (${lease}), closed as (${closeStarted}) select from lease`,
        [turn_id, attempt, owner, runId],
      )
      return rows.length > 0
    },

    /** What waited for the owner waits no more. */
    async releasePaused(runId: string): Promise<void> {
      await db.query("update research_stages set status = 'done' where run_id = $1 and status = 'paused'", [
        runId,
      ])
    },
  }
}

export type ResearchEvidenceRow = ResearchEvidence & { position: number }

/** A passage of a finished run, and the claims of its answer that cite it. */
export type KnownPassage = Pick<ResearchEvidence, 'n' | 'sha256'> & {
  run_id: string
  claims: { section: string; text: string; verdict: ResearchClaim['verdict'] }[]
}

/** Passages of earlier runs that are looked at, and claims of each. */
const maxKnown = 3000

const maxKnownClaims = 5

const evidenceColumns = `n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted, address,
  heading, sub_questions, quotes, earlier`

/** The passages of research runs, and the claims that rest on them. */
export function createResearchEvidenceRepo(db: Queryable) {
  return {
    async insert(runId: string, passages: readonly ResearchEvidenceRow[]): Promise<void> {
      await db.query(
        `insert into research_evidence
           (run_id, n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted,
            address, heading, sub_questions, quotes, earlier)
         select $1, given.n, given.position, given.entity_type, given.entity_id, given.ordinal, given.title, given.text,
           given.sha256, given.origin, given.untrusted, given.address, given.heading, given.sub_questions,
           given.quotes, given.earlier
         from json_to_recordset($2::json) as given (
           n text, position integer, entity_type text, entity_id uuid, ordinal integer, title text, text text,
           sha256 text, origin text, untrusted boolean, address text, heading text, sub_questions integer[], quotes text[],
           earlier json
         )`,
        [runId, JSON.stringify(passages)],
      )
    },

    async clear(runId: string): Promise<void> {
      await db.query('delete from research_evidence where run_id = $1', [runId])
    },

    /** In order, behind a position. */
    async list(runId: string, after = 0, limit = 1000): Promise<ResearchEvidenceRow[]> {
      const { rows } = await db.query<ResearchEvidenceRow>(
        `select ${evidenceColumns}
         from research_evidence
         where run_id = $1 and position > $2
         order by position
         limit $3`,
        [runId, after, limit],
      )
      return rows
    },

    /**
     * The passages of a Space that the claims of a run cite, and how many of them their sources no longer hold. A text
     * that is cut into passages otherwise is still there: then it is looked for in the passages around the place.
     */
    async countCited(runId: string, spaceId: string): Promise<{ total: number; changed: number }> {
      const { rows } = await db.query<{ total: number; changed: number }>(
        `with cited as materialized (
           select distinct on (passage.n) passage.entity_id, passage.ordinal, passage.text
           from research_claims claim
           cross join unnest(claim.cites) as cite (n)
           join research_evidence passage on passage.run_id = claim.run_id and passage.n = cite.n
           where claim.run_id = $1 and passage.entity_type <> 'tool_result'
         )
         select count(*)::integer as total,
           (count(*) filter (where not (
             exists (
               select from chunks
               where chunks.entity_id = cited.entity_id and chunks.space_id = $2
                 and chunks.ordinal = cited.ordinal and chunks.text = cited.text
             ) or exists (
               select from chunks
               where chunks.entity_id = cited.entity_id and chunks.space_id = $2 and chunks.text = cited.text
             ) or position(regexp_replace(cited.text, '\\s+', '', 'g') in (
               select coalesce(string_agg(regexp_replace(chunks.text, '\\s+', '', 'g'), '' order by chunks.ordinal), '')
               from chunks
               where chunks.entity_id = cited.entity_id and chunks.space_id = $2
                 and chunks.ordinal between cited.ordinal - 20 and cited.ordinal + 20
             )) > 0
           )))::integer as changed
         from cited`,
        [runId, spaceId],
      )
      return rows[0]!
    },

    /** What the other finished runs of a conversation have found themselves, each text as the latest of them did. */
    async listKnown(conversationId: string, exceptRunId: string): Promise<KnownPassage[]> {
      const { rows } = await db.query<KnownPassage>(
        `select distinct on (evidence.sha256) evidence.sha256, evidence.run_id, evidence.n, coalesce((
           select json_agg(json_build_object('section', section, 'text', text, 'verdict', verdict))
           from (
             select section, text, verdict
             from research_claims
             where run_id = evidence.run_id and evidence.n = any (cites)
             order by position
             limit $4
           ) as claim
         ), '[]'::json) as claims
         from research_evidence as evidence
         join research_runs as run on run.id = evidence.run_id
         where run.conversation_id = $1 and run.id <> $2 and run.status = 'done'
         order by evidence.sha256, run.id desc
         limit $3`,
        [conversationId, exceptRunId, maxKnown, maxKnownClaims],
      )
      return rows
    },

    async count(runId: string): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::integer as count from research_evidence where run_id = $1',
        [runId],
      )
      return rows[0]!.count
    },

    /** These claims in place of those of the round before. */
    async replaceClaims(runId: string, claims: readonly ResearchClaim[]): Promise<void> {
      await db.query('delete from research_claims where run_id = $1', [runId])
      await db.query(
        `insert into research_claims
           (run_id, id, position, section, text, cites, verdict, reasons, sentences, against, judge)
         select $1, given.id, given.position, given.section, given.text, given.cites, given.verdict, given.reasons,
           given.sentences, given.against, given.judge
         from json_to_recordset($2::json) as given (
           id text, position integer, section text, text text, cites text[], verdict text, reasons text[],
           sentences text[], against text[], judge json
         )`,
        [runId, JSON.stringify(claims.map((claim, at) => ({ ...claim, position: at + 1 })))],
      )
    },

    async listClaims(runId: string): Promise<ResearchClaim[]> {
      const { rows } = await db.query<ResearchClaim>(
        `select id, section, text, cites, verdict, reasons, sentences, against, judge
         from research_claims
         where run_id = $1
         order by position`,
        [runId],
      )
      return rows
    },
  }
}
