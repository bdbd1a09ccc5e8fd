// What comes next in a run, from what is stored of it alone: so a run goes on after a crash, a stop or a pause as if
// nothing had been.

import type { ResearchStageName } from '../../../contract/research.ts'
import type { ResearchStageRow } from '../../../db/repos/research_stages.ts'
import type { RunState } from './stage.ts'

/** Of the result of `verify`: whether the answer is to be written again. */
export type VerifyResult = { repair: boolean; failures: string[] }

const isOver = ({ status }: ResearchStageRow) => status === 'done' || status === 'skipped'

/** The next stage; `null` when the run is finished. */
export function nextStage({
  run,
  stages,
  evidence,
}: Pick<RunState, 'run' | 'stages' | 'evidence'>): ResearchStageName | null {
  const lastOf = (stage: ResearchStageName, after: number) =>
    stages.findLast((row) => row.stage === stage && row.seq > after && isOver(row)) ?? null

  const plan = lastOf('analyze_query', 0)
  if (!plan || run.change !== null) return 'analyze_query'
  const calibration = lastOf('websearch_calibration', plan.seq)
  if (!calibration) return 'websearch_calibration'
  const retrieval = lastOf('retrieve', calibration.seq)
  if (!retrieval) return 'retrieve'
  const written = lastOf('synthesize', retrieval.seq)
  if (evidence.length > 0) {
    if (!written) return 'synthesize'
    const verified = lastOf('verify', written.seq)
    if (!verified) return 'verify'
    if ((verified.result as VerifyResult).repair) return 'synthesize'
  }
  return lastOf('output', retrieval.seq) ? null : 'output'
}
