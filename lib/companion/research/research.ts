// Research runs as the owner sees them; run-research.ts runs them.

import type { List } from '../../contract/list.ts'
import type {
  ResearchAnswer,
  ResearchEvidence,
  ResearchItem,
  ResearchRun,
  ResearchStage,
  ResearchSummary,
} from '../../contract/research.ts'
import type { ResearchComparison } from '../../contract/research-comparison.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import {
  createResearchRunsRepo,
  type ResearchListFilter,
  type ResearchRunRow,
  type RunDescription,
} from '../../db/repos/research_runs.ts'
import {
  createResearchEvidenceRepo,
  createResearchStagesRepo,
  type ResearchStageRow,
} from '../../db/repos/research_stages.ts'
import { type CompareDeps, loadComparison } from './compare/compare-runs.ts'
import { isSupported } from './output/count-verdicts.ts'
import { releaseRun } from './resume-run.ts'
import { spentBy } from './run/budget.ts'

/** Each throws a 404 `AppError` for a run that is not there, or whose Space is in the trash. */
export type Research = {
  find(id: string): Promise<ResearchRun>
  list(filter: ResearchListFilter): Promise<List<ResearchItem>>
  /** The ledger behind a position, at most so many passages. */
  evidence(id: string, after: number, limit: number): Promise<List<ResearchEvidence>>
  /** Throws a 409 `AppError` while there is none. */
  answer(id: string): Promise<ResearchAnswer>
  summary(id: string): Promise<ResearchSummary>
  /** Throws a 409 `AppError` unless it and the run that it repeats are finished. */
  comparison(id: string): Promise<ResearchComparison>
  /** Ends a pause: the thread is free again, and the run can be resumed. Any other run stays as it is. */
  release(id: string): Promise<void>
  describe(id: string, change: RunDescription): Promise<ResearchRun>
}

export type ResearchViewDeps = CompareDeps & { database: Database }

export function createResearch({ database, ...comparing }: ResearchViewDeps): Research {
  const runs = createResearchRunsRepo(database)
  const ledger = createResearchEvidenceRepo(database)

  return {
    find: async (id) => await show(await load(id)),

    async list(filter) {
      const rows = await runs.list({ ...filter, limit: filter.limit + 1 })
      const items = rows.slice(0, filter.limit)
      return { items, next_cursor: rows.length > filter.limit ? (items.at(-1)?.id ?? null) : null }
    },

    async evidence(id, after, limit) {
      const run = await load(id)
      const rows = await ledger.list(run.id, after, limit + 1)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)?.position
      return {
        items: shown.map(({ position: _, ...passage }) => passage),
        next_cursor: rows.length > limit && last !== undefined ? String(last) : null,
      }
    },

    async answer(id) {
      const { answer, status } = await load(id)
      if (!answer) throw conflict('no_answer', `Research ${id} has no answer yet.`, { status })
      return answer
    },

    async summary(id) {
      const { status, summary } = await load(id)
      return { run_id: id, status, summary }
    },

    async comparison(id) {
      const run = await load(id)
      const compared = run.status === 'done' ? await loadComparison({ database, ...comparing }, run) : null
      if (compared) return compared
      const { status, previous_id } = run
      throw conflict('no_comparison', `Research ${id} is not a finished repeat of a finished run.`, {
        status,
        previous_id,
      })
    },

    async release(id) {
      await releaseRun(database, (await load(id)).id)
    },

    async describe(id, change) {
      await load(id)
      return await show((await runs.describe(id, change))!)
    },
  }

  async function load(id: string): Promise<ResearchRunRow> {
    const run = await runs.find(id)
    if (!run) throw notFound('research run', id)
    return run
  }

  async function show(run: ResearchRunRow): Promise<ResearchRun> {
    const stages = await createResearchStagesRepo(database).list(run.id)
    const claims = await ledger.listClaims(run.id)
    const supported = claims.filter(isSupported).length
    const { agent_id, first_turn_id, change, verification, answer, summary, ...rest } = run
    const { budget_usd: usd, budget_tokens: tokens, break_out, ...shown } = rest
    return {
      ...shown,
      stages: stages.map(toStage),
      counts: { evidence: await ledger.count(run.id), claims: claims.length, supported },
      claims,
      scores: verification?.scores ?? null,
      conflicts: verification?.conflicts ?? [],
      cited_passages: await ledger.countCited(run.id, run.space_id),
      cost: spentBy(stages),
      budget: { usd, tokens },
      break_out: (run.status === 'paused' && break_out) || null,
    }
  }
}

const toStage = ({
  run_id,
  turn_id,
  result,
  reserved_tokens,
  reserved_usd,
  usage,
  ...stage
}: ResearchStageRow): ResearchStage => stage
