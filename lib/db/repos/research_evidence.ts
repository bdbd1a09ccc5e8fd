import type { ResearchClaim, ResearchEvidence } from '../../contract/research.ts'
import type { Queryable } from '../pool.ts'

export type ResearchEvidenceRow = ResearchEvidence & { position: number }

const columns =
  'n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted, sub_questions, quotes'

/** The passages of research runs, and the claims that rest on them. */
export function createResearchEvidenceRepo(db: Queryable) {
  return {
    async insert(runId: string, passages: readonly ResearchEvidenceRow[]): Promise<void> {
      await db.query(
        `insert into research_evidence
           (run_id, n, position, entity_type, entity_id, ordinal, title, text, sha256, origin, untrusted,
            sub_questions, quotes)
         select $1, given.n, given.position, given.entity_type, given.entity_id, given.ordinal, given.title, given.text,
           given.sha256, given.origin, given.untrusted, given.sub_questions, given.quotes
         from json_to_recordset($2::json) as given (
           n text, position integer, entity_type text, entity_id uuid, ordinal integer, title text, text text,
           sha256 text, origin text, untrusted boolean, sub_questions integer[], quotes text[]
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
        `select ${columns}
         from research_evidence
         where run_id = $1 and position > $2
         order by position
         limit $3`,
        [runId, after, limit],
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
           (run_id, id, position, section, text, cites, verdict, reasons, score, against, opinion)
         select $1, given.id, given.position, given.section, given.text, given.cites, given.verdict, given.reasons,
           given.score, given.against, given.opinion
         from json_to_recordset($2::json) as given (
           id text, position integer, section text, text text, cites text[], verdict text, reasons text[],
           score double precision, against text[], opinion text
         )`,
        [runId, JSON.stringify(claims.map((claim, at) => ({ ...claim, position: at + 1 })))],
      )
    },

    async listClaims(runId: string): Promise<ResearchClaim[]> {
      const { rows } = await db.query<ResearchClaim>(
        `select id, section, text, cites, verdict, reasons, score, against, opinion
         from research_claims
         where run_id = $1
         order by position`,
        [runId],
      )
      return rows
    },
  }
}
