import type { ResearchComparison } from '../../../contract/research-comparison.ts'
import type { Queryable } from '../../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo } from '../../../db/repos/research_stages.ts'
import { type CompareDeps, compareRuns, type RecordedRun } from './compare-runs.ts'

/** A run beside the finished one that it repeats; `null` where there is none. Not to be called in a transaction. */
export async function loadComparison(
  { database, ...deps }: CompareDeps & { database: Queryable },
  run: Pick<ResearchRunRow, 'id' | 'space_id' | 'previous_id'>,
  /** Left out: as stored. */
  recorded?: RecordedRun,
): Promise<ResearchComparison | null> {
  const { previous_id, space_id } = run
  const previous = previous_id
    ? await createResearchRunsRepo(database).findInSpace(previous_id, space_id)
    : null
  if (previous?.status !== 'done') return null
  return await compareRuns(deps, {
    previous: await load(previous.id),
    current: recorded ?? (await load(run.id)),
  })

  async function load(id: string): Promise<RecordedRun> {
    const repo = createResearchEvidenceRepo(database)
    return { id, evidence: await repo.list(id), claims: await repo.listClaims(id) }
  }
}
