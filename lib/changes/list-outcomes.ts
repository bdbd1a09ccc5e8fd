import { canAct } from '../auth/capability.ts'
import { undoOf } from '../content/writes/history.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { AgentActor } from '../core/actor.ts'
import type { Database } from '../db/pool.ts'
import { createAuditOfDraftsRepo } from '../db/repos/decisions.ts'
import {
  createDeliveredOutcomesRepo,
  type DraftOutcome,
  type OutcomeFilter,
} from '../db/repos/delivered_outcomes.ts'
import { createOverviewRepo } from '../db/repos/overview.ts'
import type { TextThreads } from '../jobs/workers/text-threads.ts'
import { describeOutcome, outcomeOf } from './describe-outcome.ts'

/** What became of a draft: its `outcome` (or `pending`, `retracted`), and what the owner changed or said. */
export type Outcome = { draft: string; outcome: string; action: string; kind: string; id: string } & Record<
  string,
  unknown
>

/** What became of the drafts of an agent, newest first. One that may not read learns no text of the Space from it. */
export async function listOutcomes(
  { database, kinds, threads }: { database: Database; kinds: Kinds; threads: TextThreads },
  actor: AgentActor,
  filter: OutcomeFilter,
): Promise<Outcome[]> {
  const drafts = await createDeliveredOutcomesRepo(database).listOfAgent(actor.agent_id, filter)
  const applied = drafts.filter(({ applied_seq }) => applied_seq !== null)
  const ids = drafts.map(({ entity_id }) => entity_id)
  const [undos, titles] = await Promise.all([
    createAuditOfDraftsRepo(database).listUndosByEntity(applied.map(({ entity_id }) => entity_id)),
    createOverviewRepo(database).titlesOf(kinds.all, filter.space_id, ids),
  ])
  const describe = async (draft: DraftOutcome): Promise<Outcome> => {
    const { id, action, entity_type, entity_id, status, applied_seq } = draft
    const undone = applied_seq !== null && undoOf(applied_seq, undos.get(entity_id) ?? []) !== null
    const outcome = outcomeOf(draft, undone)
    const plain = { draft: id, outcome: outcome ?? status, action, kind: entity_type, id: entity_id }
    if (outcome === null || canAct(actor, 'read', entity_type) !== 'allow') return plain
    const described = await describeOutcome(threads, draft, {
      outcome,
      kind: kinds.get(entity_type),
      title: titles.get(entity_id) ?? '',
    })
    return { ...described, ...plain }
  }
  const outcomes: Outcome[] = []
  for (const draft of drafts) outcomes.push(await describe(draft))
  return outcomes
}
