import type { Actor } from '../auth/actor.ts'
import type { Routed } from '../contract/events.ts'
import type { Queryable } from '../db/pool.ts'
import type { AgentRow } from '../db/repos/agents.ts'
import { type ConversationRow, createConversationsRepo } from '../db/repos/conversations.ts'
import { createSpacesRepo, type SpaceRow } from '../db/repos/spaces.ts'
import { notFound } from '../errors.ts'
import { openRouted } from './router/address-turn.ts'
import type { RoutedTurn } from './turn-request.ts'

/** Where a message goes. In the caller's transaction. Throws a 404 `AppError` for an unknown Space or conversation. */
export async function findConversation(
  tx: Queryable,
  row: AgentRow,
  actor: Actor,
  { space_id, conversation_id, routing }: RoutedTurn,
): Promise<{ space: SpaceRow; conversation: ConversationRow; routed: Routed }> {
  const space = await createSpacesRepo(tx).find(space_id, null)
  if (!space) throw notFound('Space', space_id)

  if (conversation_id) {
    const conversation = await createConversationsRepo(tx).find(space_id, conversation_id)
    if (!conversation) throw notFound('conversation', conversation_id)
    return { space, conversation, routed: 'named' }
  }
  return { space, ...(await openRouted(tx, row, actor, { space_id, routing })) }
}
