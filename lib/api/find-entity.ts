import type { EntityRow, Kind } from '../contract/entities/kind.ts'
import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Deps } from './deps.ts'
import { spacesOf } from './scope.ts'

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
