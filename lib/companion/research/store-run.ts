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
export function createRunStorage(
  database: Database,
  { turn, lease }: Pick<ResearchTurn, 'turn' | 'lease'>,
  runId: string,
) {
  const write = <Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> =>
    retryWhileDatabaseUnavailable(() =>
      database.transaction(async (tx) => {
        if (!(await createResearchStagesRepo(tx).holdsLease(lease))) throw new LeaseLost()
        return await work(tx)
      }),
    )

  return {
    /** What a server that died left behind is over. */
    closeInterrupted: () => write((tx) => createResearchStagesRepo(tx).closeInterrupted(runId)),

    async begin(state: RunState, stage: ResearchStageName): Promise<Stored> {
      const row = await write(async (tx) => {
        const repo = createResearchStagesRepo(tx)
        // Tried again after a broken connection, it may have begun already.
        await repo.closeInterrupted(runId)
        const place = { run_id: runId, turn_id: turn.id, stage }
        return await repo.insert({ ...place, status: 'started', summary: '', counts: {}, result: null })
      })
      return { row, state: { ...state, stages: [...state.stages, row] } }
    },

    reserve: (row: ResearchStageRow, reservation: Reservation) =>
      write((tx) => createResearchStagesRepo(tx).reserve(row, reservation)),

    async finish(
      state: RunState,
      row: ResearchStageRow,
      result: StageResult,
      settled: Settlement,
    ): Promise<Stored> {
      const { run: changes = {}, evidence, claims, ...end } = result
      const pause = result.status === 'paused' ? { status: 'paused' as const } : {}
      const run = { ...state.run, ...changes, ...pause }
      return await store({ ...state, run }, row, { end, settled }, async (tx) => {
        const ledger = createResearchEvidenceRepo(tx)
        if (evidence) {
          await ledger.clear(runId)
          await ledger.insert(runId, evidence)
        }
        if (claims) await ledger.replaceClaims(runId, claims)
        return { evidence: evidence ?? state.evidence, claims: claims ?? state.claims }
      })
    },

    /** Ends a stage that did not come to its end. */
    async endEarly(
      state: RunState,
      row: ResearchStageRow,
      {
        run: changes,
        result = null,
        ...end
      }: Pick<StageEnd, 'status' | 'summary'> & { result?: unknown; run: Partial<ResearchRunRow> },
      settled: Settlement,
    ): Promise<Stored> {
      const run = withSummary({ ...state, run: { ...state.run, ...changes } })
      return await store({ ...state, run }, row, { end: { ...end, counts: {}, result }, settled })
    },

    async save(state: RunState, changes: Partial<ResearchRunRow>): Promise<RunState> {
      const run = withSummary({ ...state, run: { ...state.run, ...changes } })
      await write((tx) => createResearchRunsRepo(tx).save(run))
      return { ...state, run }
    },
  }

  async function store(
    state: RunState,
    row: ResearchStageRow,
    { end, settled }: { end: StageEnd; settled: Settlement },
    more: (tx: Queryable) => Promise<Partial<RunState>> = async () => ({}),
  ): Promise<Stored> {
    return await write(async (tx) => {
      const repo = createResearchStagesRepo(tx)
      const ended = await repo.finish(row, { ...end, summary: end.summary.slice(0, 1000), ...settled })
      const rest = await more(tx)
      await createResearchRunsRepo(tx).save(state.run)
      const stages = state.stages.map((one) => (one.seq === ended.seq ? ended : one))
      return { row: ended, state: { ...state, ...rest, stages } }
    })
  }
}

/** A run that ends early leaves to later turns what it has come to. */
function withSummary(state: RunState): ResearchRunRow {
  const { run } = state
  const isOver = run.status === 'stopped' || run.status === 'failed'
  return isOver ? { ...run, summary: summarizeRun({ ...state, answer: null }) } : run
}
