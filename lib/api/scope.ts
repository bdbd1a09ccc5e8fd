import { canAct } from '../auth/capability.ts'
import {
  type DraftAnswer,
  DraftReceipt,
  type PendingChangeWithCard,
} from '../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../contract/entities/kind.ts'
import type { Actor } from '../core/actor.ts'
import { forbidden, notFound } from '../core/errors.ts'
import type { SpaceRow } from '../db/repos/spaces.ts'
import type { Deps } from './deps.ts'

/** The Spaces an actor may look into, for a query's WHERE; `null`: all. */
export function spacesOf(actor: Actor): readonly string[] | null {
  return actor.kind === 'agent' ? actor.spaces : null
}

/** Throws a 403 `AppError` for an agent that may not read. */
export function checkRead(actor: Actor, entityType: string): void {
  if (canAct(actor, 'read', entityType) !== 'allow') throw forbidden('This token may not read.')
}

/** The Space, if the actor may enter it; otherwise a 404 `AppError`, whether it exists or not. */
export async function enterSpace({ repos }: Deps, actor: Actor, spaceId: string): Promise<SpaceRow> {
  const space = await repos.spaces.find(spaceId, spacesOf(actor))
  if (!space) throw notFound('Space', spaceId)
  return space
}

/** Spaces that are searched at once when none is named. */
const maxSpaces = 200

/**
 * The ids of the Spaces that a request is about: the one that it names, as `enterSpace` has it, else all that the actor
 * may enter, the newest first.
 */
export async function resolveSpaces(deps: Deps, actor: Actor, named: string | undefined): Promise<string[]> {
  if (named) return [(await enterSpace(deps, actor, named)).id]
  const spaces = await deps.repos.spaces.list({
    within: spacesOf(actor),
    deleted: false,
    before_id: null,
    limit: maxSpaces,
  })
  return spaces.map(({ id }) => id)
}

/** Which drafts an actor sees, for a query's WHERE: an agent its own and no others. */
export const ownDrafts = (actor: Actor) => ({
  space_ids: spacesOf(actor),
  agent_id: actor.kind === 'agent' ? actor.agent_id : null,
})

/** An entity that the actor may see; one in the trash is for the owner. Throws a 404 `AppError`. */
export async function findEntity({ repos }: Deps, actor: Actor, kind: Kind, id: string): Promise<EntityRow> {
  const row = await repos.entities.findWithinSpaces(kind, spacesOf(actor), id)
  if (!row || (row.deleted_at !== null && actor.kind === 'agent')) throw notFound(kind.label, id)
  return row
}

/** The same, unless it is in the trash. */
export async function findLive(deps: Deps, actor: Actor, kind: Kind, id: string): Promise<EntityRow> {
  const row = await findEntity(deps, actor, kind, id)
  if (row.deleted_at !== null) throw notFound(kind.label, id)
  return row
}

/** What `actor` is answered about a draft: all of it, or a receipt when it may not read what the card shows. */
export function draftAnswer(actor: Actor, draft: PendingChangeWithCard): DraftAnswer {
  return canAct(actor, 'read', draft.entity_type) === 'allow' ? draft : DraftReceipt.parse(draft)
}
