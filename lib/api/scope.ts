import { canAct } from '../auth/capability.ts'
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
