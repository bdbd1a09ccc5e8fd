import type { Queryable } from '../../db/pool.ts'
import type { ResearchRunRow } from '../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, createResearchStagesRepo } from '../../db/repos/research_stages.ts'
import type { RunState } from './run/stage.ts'

/** What a run has come to. */
export async function loadState(database: Queryable, run: ResearchRunRow): Promise<RunState> {
  const evidence = createResearchEvidenceRepo(database)
  return {
    run,
    stages: await createResearchStagesRepo(database).list(run.id),
    evidence: await evidence.list(run.id),
    claims: await evidence.listClaims(run.id),
  }
}
