import type { LastRouting } from '../../contract/companion/companion.ts'
import type { Queryable } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createRoutingDecisionsRepo } from '../../db/repos/routing_decisions.ts'

const routedBy = { continue: 'latest', resume: 'resumed', new: 'new' } as const

/** After this time a routing is no news. */
const newsMs = 10 * 60_000

/** How a turn was just routed, in the words of its `turn` event. `null` when it was not, or that was undone. */
export async function describeLastRouting(
  db: Queryable,
  { turnId, now }: { turnId: string | null; now: Date },
): Promise<LastRouting | null> {
  const decision = turnId && (await createRoutingDecisionsRepo(db).findOfTurn(turnId))
  if (!decision || now.getTime() - Date.parse(decision.created_at) > newsMs) return null
  const { id, turn_id, space_id, conversation_id, choice, decided_by, active_id } = decision
  const conversation = await createConversationsRepo(db).find(space_id, conversation_id)
  const title = choice === 'new' ? '' : (conversation?.title ?? '')
  return { turn_id, decision_id: id, routed: routedBy[choice], by: decided_by, title, from: active_id }
}
