// What is stored of a run, each step in one transaction that holds the lease of its turn: a server that has lost the turn
// writes nothing more.

import type { ResearchStageName } from '../../contract/research.ts'
import { type Database, type Queryable, retryWhileDatabaseUnavailable } from '../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../db/repos/research_runs.ts'
import {
  createResearchEvidenceRepo,
  createResearchStagesRepo,
  type ResearchStageRow,
  type Reservation,
  type StageEnd,
} from '../../db/repos/research_stages.ts'
import { LeaseLost } from './open-run.ts'
import { summarizeRun } from './output/summarize-run.ts'
import type { Settlement } from './run/ask-model.ts'
import type { ResearchTurn, RunState, StageResult } from './run/stage.ts'

type Stored = { state: RunState; row: ResearchStageRow }

export type RunStorage = ReturnType<typeof createRunStorage>

/** Every function throws `LeaseLost` when the turn is no longer run here. */
export function createRunStorage(database: Database, { lease }: Pick<ResearchTurn, 'lease'>, runId: string) {
  const held = <Result extends {}>(result: Result | false | null): Result => {
    if (result === false || result === null) throw new LeaseLost()
    return result
  }
  const stages = createResearchStagesRepo(database)
  const write = <Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> =>
    retryWhileDatabaseUnavailable(() =>
      database.transaction(async (tx) => {
        held(await createResearchStagesRepo(tx).holdsLease(lease))
        return await work(tx)
      }),
    )

  return {
    /** What a server that died left behind is over. */
    closeInterrupted: async () =>
      held(await retryWhileDatabaseUnavailable(() => stages.closeInterrupted(lease, runId))),

    async begin(state: RunState, stage: ResearchStageName): Promise<Stored> {
      const row = held(
        await retryWhileDatabaseUnavailable(() => stages.begin(lease, { run_id: runId, stage })),
      )
      return { row, state: { ...state, stages: [...state.stages, row] } }
    },

    reserve: async (row: ResearchStageRow, reservation: Reservation) =>
      held(await retryWhileDatabaseUnavailable(() => stages.reserve(lease, row, reservation))),

    /** Ends a stage, whether or not it came to its end. */
    async finish(
      before: RunState,
      row: ResearchStageRow,
      { run: changes, evidence, claims, ...end }: StageOutcome,
      settled: Settlement,
    ): Promise<Stored> {
      const run = withSummary({ ...before, run: { ...before.run, ...changes } })
      return await write(async (tx) => {
        const summary = end.summary.slice(0, 1000)
        const ended = await createResearchStagesRepo(tx).finish(row, { ...end, summary, ...settled })
        const ledger = createResearchEvidenceRepo(tx)
        if (evidence) {
          await ledger.clear(runId)
          await ledger.insert(runId, evidence)
        }
        if (claims) await ledger.replaceClaims(runId, claims)
        await createResearchRunsRepo(tx).save(run)
        const state = {
          run,
          stages: before.stages.map((one) => (one.seq === ended.seq ? ended : one)),
          evidence: evidence ?? before.evidence,
          claims: claims ?? before.claims,
        }
        return { row: ended, state }
      })
    },

    async save(state: RunState, changes: Partial<ResearchRunRow>): Promise<RunState> {
      const run = withSummary({ ...state, run: { ...state.run, ...changes } })
      await write((tx) => createResearchRunsRepo(tx).save(run))
      return { ...state, run }
    },
  }
}

/** What a stage came to, or why it did not come to its end. */
type StageOutcome = StageEnd & Pick<StageResult, 'run' | 'evidence' | 'claims'>

/** A run that ends early leaves to later turns what it has come to. */
function withSummary(state: RunState): ResearchRunRow {
  const { run } = state
  const isOver = run.status === 'stopped' || run.status === 'failed'
  return isOver ? { ...run, summary: summarizeRun({ ...state, answer: null }) } : run
}
