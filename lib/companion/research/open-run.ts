// Which run a turn carries: a new one, or one that waited, was stopped or failed. What the owner wants of it is applied
// once, together with the turn's taking it over.

import { v7 as uuid } from 'uuid'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { firstWords } from '../../core/text/bounds.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createResearchRunsRepo } from '../../db/repos/research_runs.ts'
import { createResearchStagesRepo } from '../../db/repos/research_stages.ts'
import { insertPlan, maxQuestion, type Opened, resumeRun, takeUp } from './resume-run.ts'
import { readCommand, type Sorted } from './rules/read-message.ts'
import { admitAgent } from './run/admit-agent.ts'
import { loadResearchRules } from './run/research-settings.ts'
import type { ResearchDeps, ResearchTurn } from './run/stage.ts'

/** `sorted`: what a classifier takes the message for. */
export async function openRun(
  { database, calendar }: Pick<ResearchDeps, 'database' | 'calendar'>,
  turn: ResearchTurn,
  sorted: Sorted,
): Promise<Opened> {
  try {
    return await database.transaction(async (tx) => {
      if (!(await createResearchStagesRepo(tx).holdsLease(turn.lease))) throw new LeaseLost()
      if ('depth' in turn.ask) return await begin(tx, turn, { ask: turn.ask, calendar })
      return await resumeRun(tx, turn, { ask: turn.ask, sorted })
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

async function begin(
  tx: Queryable,
  { turn, agent, text }: ResearchTurn,
  { ask: { depth, rerun_of, asked_by }, calendar }: { ask: NewRun; calendar: Calendar },
): Promise<Opened> {
  const runs = createResearchRunsRepo(tx)
  const known = await runs.findByFirstTurn(turn.id)
  if (known) return takeUp(known, text)
  const previous = rerun_of ? await runs.findInSpace(rerun_of, turn.space_id) : null
  if (rerun_of && !previous?.plan) return { said: 'That run has no plan to repeat.' }
  await runs.releaseAbandoned(turn.conversation_id)
  const { budget_usd, budget_tokens } = (await loadResearchRules(tx, agent.id)).depths[depth]
  const admitted =
    asked_by && (await admitAgent(tx, asked_by.agent_id, { space_id: turn.space_id, calendar }))
  if (admitted && 'refusal' in admitted) return { said: admitted.refusal.message }
  const asked = asked_by?.question ?? readCommand(text)?.question ?? text
  const question = previous?.question ?? asked.slice(0, maxQuestion).toWellFormed()
  const run = await runs.insert({
    id: uuid(),
    space_id: turn.space_id,
    conversation_id: turn.conversation_id,
    agent_id: agent.id,
    first_turn_id: turn.id,
    previous_id: previous?.id ?? null,
    asked_by: asked_by?.agent_id ?? null,
    title: previous?.title ?? (firstWords(question) || 'Research'),
    question,
    depth,
    labels: previous?.labels ?? [],
    plan: previous?.plan ?? null,
    budget_usd,
    budget_tokens: Math.min(budget_tokens, admitted?.tokens ?? budget_tokens),
  })
  if (previous?.plan) await insertPlan(tx, run, previous.plan, 'As in the run before')
  return { run }
}
