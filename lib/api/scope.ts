import type { Actor } from '../auth/actor.ts'
import { canAct } from '../auth/capability.ts'
import { createSpacesRepo, type SpaceRow } from '../db/repos/spaces.ts'
import { forbidden, notFound } from '../errors.ts'
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
export async function enterSpace({ database }: Deps, actor: Actor, spaceId: string): Promise<SpaceRow> {
  const space = await createSpacesRepo(database).find(spaceId, spacesOf(actor))
  if (!space) throw notFound('Space', spaceId)
  return space
}

/** Spaces that are looked into at once when none is named. */
const mostSpaces = 200

/** The ids of the Spaces an actor may enter, the newest first. */
export async function enterableSpaces({ database }: Deps, actor: Actor): Promise<string[]> {
  const spaces = await createSpacesRepo(database).list({
    within: spacesOf(actor),
    deleted: false,
    before_id: null,
    limit: mostSpaces,
  })
  return spaces.map((space) => space.id)
}
