// Which run a turn carries: a new one, or one that waited, was stopped or failed. What the owner wants of it is applied
// once, together with the turn's taking it over.

import { v7 as uuid } from 'uuid'
import type { EditedPlan, ResearchBudget } from '../contract/research.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createResearchEvidenceRepo } from '../db/repos/research_evidence.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../db/repos/research_runs.ts'
import { createResearchStagesRepo } from '../db/repos/research_stages.ts'
import { firstWords } from '../text/first-words.ts'
import { readCommand } from './rules/read-command.ts'
import { readReply } from './rules/read-reply.ts'
import { dollars } from './run/budget.ts'
import { depths, maxPlans } from './run/depths.ts'
import type { ResearchTurn, RunState } from './run/stage.ts'

/** `said`: there is nothing to run, and why; `waits`: the run that was meant still waits. */
export type Opened = { run: ResearchRunRow } | { said: string; waits?: true }

const maxQuestion = 4000

export async function openRun(database: Database, turn: ResearchTurn): Promise<Opened> {
  try {
    return await database.transaction(async (tx) => {
      if (!(await createResearchStagesRepo(tx).holdsLease(turn.lease))) throw new LeaseLost()
      return 'depth' in turn.ask ? await begin(tx, turn, turn.ask) : await resume(tx, turn, turn.ask)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'research_runs_one_open')) throw error
    return { said: 'Another research run is open in this thread. Finish or cancel it first.' }
  }
}

/** Another server has taken the turn over. */
export class LeaseLost extends Error {
  constructor() {
    super('the turn of this research run is no longer run here')
    this.name = 'LeaseLost'
  }
}

type NewRun = Extract<ResearchTurn['ask'], { depth: unknown }>
type OldRun = Exclude<ResearchTurn['ask'], NewRun>

async function begin(
  tx: Queryable,
  { turn, agent, text }: ResearchTurn,
  { depth, rerun_of }: NewRun,
): Promise<Opened> {
  const runs = createResearchRunsRepo(tx)
  const known = await runs.findByFirstTurn(turn.id)
  if (known) return { run: known }
  const previous = rerun_of ? await runs.findInSpace(rerun_of, turn.space_id) : null
  if (rerun_of && !previous?.plan) return { said: 'That run has no plan to repeat.' }
  await runs.releaseAbandoned(turn.conversation_id)
  const { budget } = depths[depth]
  const asked = readCommand(text)?.question ?? text
  const question = previous?.question ?? asked.slice(0, maxQuestion).toWellFormed()
  const run = await runs.insert({
    id: uuid(),
    space_id: turn.space_id,
    conversation_id: turn.conversation_id,
    agent_id: agent.id,
    first_turn_id: turn.id,
    previous_id: previous?.id ?? null,
    title: previous?.title ?? (firstWords(question) || 'Research'),
    question,
    depth,
    plan: previous?.plan ?? null,
    budget_usd: budget.usd,
    budget_tokens: budget.tokens,
  })
  if (previous?.plan) await insertPlan(tx, run, previous.plan, 'As in the run before')
  return { run }
}

/** A plan that is not made by the stage itself, as if the stage had made it. */
async function insertPlan(
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

async function resume(tx: Queryable, turn: ResearchTurn, ask: OldRun): Promise<Opened> {
  const runs = createResearchRunsRepo(tx)
  const stages = createResearchStagesRepo(tx)
  const run = await runs.lock(ask.run_id, turn.turn.space_id)
  if (!run) return { said: 'That research run is gone.' }
  if (run.turn_id === turn.turn.id) return { run }
  if (run.status === 'done') return { said: 'This research is finished. It can be run again under Research.' }
  if (run.status === 'running') return { said: 'This research is already running.' }

  const reply = ask.go_on || ask.plan ? { kind: 'go_on' as const } : readReply(turn.text)
  const resumed: ResearchRunRow = { ...run, turn_id: turn.turn.id }
  if (reply.kind === 'cancel') {
    await runs.save({ ...resumed, status: 'stopped', pause: null })
    return { said: 'Research cancelled. Its plan and what it found are kept under Research.' }
  }
  if (reply.kind === 'change' && run.pause === 'budget') return { said: raiseHint(run), waits: true }
  const plans = (await stages.list(run.id)).filter(({ stage }) => stage === 'analyze_query').length
  if ((reply.kind === 'change' || ask.plan) && plans >= maxPlans) {
    return { said: `This plan was changed ${maxPlans} times already. Go on with it, or cancel.`, waits: true }
  }
  const next: ResearchRunRow = {
    ...resumed,
    ...raisedBudget(run, ask.budget),
    ...(ask.plan ? edited(run, ask.plan) : {}),
    status: 'running',
    pause: null,
    error: null,
    change: reply.kind === 'change' ? turn.text.slice(0, maxQuestion).toWellFormed() : null,
  }
  await stages.releasePaused(run.id)
  await runs.save(next)
  if (ask.plan) await insertPlan(tx, next, next.plan!, 'Edited')
  return { run: (await runs.findInSpace(run.id, run.space_id))! }
}

/** Going on where the budget was reached doubles it, unless another one is named. */
function raisedBudget(
  { pause, budget_usd, budget_tokens }: ResearchRunRow,
  budget: { [Name in keyof ResearchBudget]?: ResearchBudget[Name] | undefined } | null,
): Pick<ResearchRunRow, 'budget_usd' | 'budget_tokens'> {
  const factor = pause === 'budget' && !budget ? 2 : 1
  return {
    budget_usd: budget?.usd ?? budget_usd * factor,
    budget_tokens: budget?.tokens ?? budget_tokens * factor,
  }
}

function edited(
  { plan, question, depth }: ResearchRunRow,
  { sub_questions, depth: other }: EditedPlan,
): Pick<ResearchRunRow, 'plan' | 'depth'> {
  const limit = depths[other ?? depth].subQuestions
  const base = plan ?? { question, criteria: [], ambiguities: [], suggested_depth: null }
  return { plan: { ...base, sub_questions: sub_questions.slice(0, limit) }, depth: other ?? depth }
}

/** What is said where the budget was reached. */
export const raiseHint = ({ budget_usd, budget_tokens }: ResearchRunRow): string =>
  `Everything so far is kept. Reply “go on” to raise the budget to ${dollars(budget_usd * 2)} and ${(budget_tokens * 2).toLocaleString('en-US')} tokens, or “cancel”.`

export async function loadState(database: Queryable, run: ResearchRunRow): Promise<RunState> {
  const evidence = createResearchEvidenceRepo(database)
  return {
    run,
    stages: await createResearchStagesRepo(database).list(run.id),
    evidence: await evidence.list(run.id),
    claims: await evidence.listClaims(run.id),
  }
}
