import type { Actor } from '../core/actor.ts'
import { spacesOf } from './scope.ts'

/** Which drafts an actor sees, for a query's WHERE: an agent its own and no others. */
export const ownDrafts = (actor: Actor) => ({
  space_ids: spacesOf(actor),
  agent_id: actor.kind === 'agent' ? actor.agent_id : null,
})
