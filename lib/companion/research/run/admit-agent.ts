import { type AppError, conflict, forbidden } from '../../../core/errors.ts'
import { type Calendar, today } from '../../../core/schedule/calendar.ts'
import { startOfDay } from '../../../core/schedule/instants.ts'
import type { Queryable } from '../../../db/pool.ts'
import { createAgentsRepo } from '../../../db/repos/agents.ts'
import { createResearchRunsRepo } from '../../../db/repos/research_runs.ts'

/**
 * The tokens that a run of an external agent may use today, or why it may not begin. In a transaction one run at a time is
 * admitted, so that two never share what is left.
 */
export async function admitAgent(
  db: Queryable,
  agentId: string,
  { space_id, calendar }: { space_id: string; calendar: Calendar },
): Promise<{ tokens: number } | { refusal: AppError }> {
  const agents = createAgentsRepo(db)
  const capabilities = await agents.lock(agentId)
  const agent = await agents.find(agentId)
  if (!agent || !capabilities?.read || !(agent.scopes.spaces?.includes(space_id) ?? true))
    return { refusal: forbidden('You may no longer read this Space.') }
  const { research_tokens: daily } = agent
  if (daily === 0) return { refusal: forbidden(noBudget) }
  const since = startOfDay(today(calendar), calendar.zone())
  const { tokens: used, is_running } = await createResearchRunsRepo(db).findUse(agentId, since)
  if (is_running) return { refusal: conflict('turn_running', 'Your last research is still running.') }
  if (used < daily) return { tokens: daily - used }
  const [spent, limit] = [used, daily].map((tokens) => tokens.toLocaleString('en-US'))
  return {
    refusal: forbidden(
      `Your research budget for today is used up (${spent} of ${limit} tokens). It resets at midnight (${calendar.zone()}).`,
    ),
  }
}

const noBudget =
  'The owner has given you no budget for research. They can set one in Settings → Agents. Use search and read instead.'
