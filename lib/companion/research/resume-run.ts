// A run that waited, was stopped or failed, and what the owner's message, button or edited plan makes of it.

import type { ResearchRules } from '../../contract/companion/research-settings.ts'
import type { EditedPlan, ResearchBudget } from '../../contract/research.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../db/repos/research_runs.ts'
import { createResearchStagesRepo } from '../../db/repos/research_stages.ts'
import { loadState } from './load-state.ts'
import { summarizeRun } from './output/summarize-run.ts'
import { readMessage, type Sorted } from './rules/read-message.ts'
import { type BudgetNeeds, neededBudget, raisedTo } from './run/budget.ts'
import { maxPlans } from './run/depths.ts'
import { confirmText, raiseHint, stayText } from './run/pause-text.ts'
import { loadResearchRules } from './run/research-settings.ts'
import type { ResearchTurn } from './run/stage.ts'

/**
 * `said`: there is nothing to run, and why; `waits`: the run that was meant, which still waits. `left`: what is to be
 * answered without research; `run`: the one that was left for it.
 */
export type Opened =
  | { run: ResearchRunRow }
  | { said: string; waits?: ResearchRunRow }
  | { left: string; from: ResearchRunRow | null }

export const maxQuestion = 4000
const maxBreakOut = 500

type OldRun = Exclude<ResearchTurn['ask'], { depth: unknown }>

export async function resumeRun(
  tx: Queryable,
  turn: ResearchTurn,
  { ask, sorted }: { ask: OldRun; sorted: Sorted },
): Promise<Opened> {
  const run = await createResearchRunsRepo(tx).lock(ask.run_id, turn.turn.space_id)
  if (!run) return { said: 'That research run is gone.' }
  if (run.turn_id === turn.turn.id) return takeUp(run, turn.text)
  const isMessage = !ask.go_on && !ask.plan
  // Nothing waits any more: the message is one like any other.
  if (isMessage && run.status !== 'paused') return { left: turn.text, from: null }
  if (run.status === 'done') return { said: 'This research is finished. It can be run again under Research.' }
  if (run.status === 'running') return { said: 'This research is already running.' }
  // A change that was wanted before the budget, a failure or a stop came between is still wanted.
  if (!isMessage) return await goOn(tx, turn, run, { ask, change: ask.plan ? null : run.change })
  return await applyMessage(tx, turn, run, { ask, sorted })
}

/** A run that this very turn has taken over before, in an attempt that was cut off. */
export function takeUp(run: ResearchRunRow, text: string): Opened {
  if (run.status !== 'stopped') return { run }
  const message = readMessage(text, { breakOut: run.break_out, isElse: false })
  if (run.break_out && message.kind === 'leave') return { left: message.text, from: run }
  return { said: cancelled }
}

const cancelled = 'Research cancelled. Its plan and what it found are kept under Research.'

async function applyMessage(
  tx: Queryable,
  turn: ResearchTurn,
  run: ResearchRunRow,
  { ask, sorted }: { ask: OldRun; sorted: Sorted },
): Promise<Opened> {
  const message = readMessage(turn.text, { breakOut: run.break_out, ...sorted })
  const save = async (change: Partial<ResearchRunRow>) => {
    const next = { ...run, turn_id: turn.turn.id, ...change }
    await createResearchRunsRepo(tx).save(next)
    return next
  }
  const listStages = () => createResearchStagesRepo(tx).list(run.id)
  switch (message.kind) {
    case 'go_on':
      return await goOn(tx, turn, run, { ask, change: run.change })
    case 'cancel':
      await save(await stoppedRun(tx, { ...run, break_out: null }))
      return { said: cancelled }
    case 'leave':
      return { left: message.text, from: await save(await stoppedRun(tx, run)) }
    case 'confirm': {
      const break_out = turn.text.trim().slice(0, maxBreakOut).toWellFormed()
      return { said: confirmText(break_out), waits: await save({ break_out }) }
    }
    case 'beside':
      return { left: turn.text, from: null }
    case 'stay':
      return { said: stayText(run, await listStages()), waits: await save({ break_out: '' }) }
    case 'change':
      if (run.pause === 'budget')
        return {
          said: raiseHint(run, neededBudget(await listStages())),
          waits: await save({ break_out: null }),
        }
      return await goOn(tx, turn, run, { ask, change: turn.text.slice(0, maxQuestion).toWellFormed() })
  }
}

/** Ends a pause. Any other run stays as it is. */
export async function releaseRun(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const runs = createResearchRunsRepo(tx)
    const run = await runs.lockPaused(id)
    if (run) await runs.save({ ...run, ...(await stoppedRun(tx, { ...run, break_out: null })) })
  })
}

/** Of a run that ends here: what becomes different, its summary included. */
async function stoppedRun(
  tx: Queryable,
  run: ResearchRunRow,
): Promise<Pick<ResearchRunRow, 'status' | 'pause' | 'break_out' | 'summary'>> {
  const stopped = { status: 'stopped' as const, pause: null, break_out: run.break_out || null }
  const state = await loadState(tx, { ...run, ...stopped })
  return { ...stopped, summary: summarizeRun({ ...state, answer: null }) }
}

async function goOn(
  tx: Queryable,
  turn: ResearchTurn,
  run: ResearchRunRow,
  { ask, change }: { ask: OldRun; change: string | null },
): Promise<Opened> {
  const stages = createResearchStagesRepo(tx)
  const runs = createResearchRunsRepo(tx)
  const rows = await stages.list(run.id)
  const plans = rows.filter(({ stage }) => stage === 'analyze_query').length
  if ((change !== run.change || ask.plan) && plans >= maxPlans) {
    const said = `This plan was changed ${maxPlans} times already. Go on with it, or cancel.`
    return { said, ...(run.status === 'paused' ? { waits: run } : {}) }
  }
  const next: ResearchRunRow = {
    ...run,
    ...raisedBudget(run, ask.budget, neededBudget(rows)),
    ...(ask.plan ? edited(run, ask.plan, (await loadResearchRules(tx, turn.agent.id)).depths) : {}),
    turn_id: turn.turn.id,
    status: 'running',
    pause: null,
    error: null,
    break_out: null,
    change,
  }
  await stages.releasePaused(run.id)
  await runs.save(next)
  if (ask.plan) await insertPlan(tx, next, next.plan!, 'Edited')
  return { run: (await runs.findInSpace(run.id, run.space_id))! }
}

/** A plan that is not made by the stage itself, as if the stage had made it. */
export async function insertPlan(
  tx: Queryable,
  run: Pick<ResearchRunRow, 'id' | 'turn_id'>,
  plan: NonNullable<ResearchRunRow['plan']>,
  summary: string,
): Promise<void> {
  await createResearchStagesRepo(tx).insert({
    run_id: run.id,
    turn_id: run.turn_id,
    stage: 'analyze_query',
    status: 'done',
    summary,
    counts: { sub_questions: plan.sub_questions.length },
    result: plan,
  })
}

/** Going on where the budget was reached raises what is short to what the next step needs, unless a budget is named. */
function raisedBudget(
  run: ResearchRunRow,
  budget: { [Name in keyof ResearchBudget]?: ResearchBudget[Name] | undefined } | null,
  needs: BudgetNeeds | null,
): Pick<ResearchRunRow, 'budget_usd' | 'budget_tokens'> {
  if (run.pause === 'budget' && !budget) return raisedTo(run, needs)
  return { budget_usd: budget?.usd ?? run.budget_usd, budget_tokens: budget?.tokens ?? run.budget_tokens }
}

function edited(
  { plan, question, depth }: ResearchRunRow,
  { sub_questions, depth: other }: EditedPlan,
  depths: ResearchRules['depths'],
): Pick<ResearchRunRow, 'plan' | 'depth'> {
  const limit = depths[other ?? depth].sub_questions
  const base = plan ?? { question, criteria: [], ambiguities: [], suggested_depth: null }
  return { plan: { ...base, sub_questions: sub_questions.slice(0, limit) }, depth: other ?? depth }
}
