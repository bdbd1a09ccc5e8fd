import { z } from 'zod'
import { mayEnterSpace } from '../../auth/capability.ts'
import type { AgentActor } from '../../core/actor.ts'
import { invalid } from '../../core/errors.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'

/** Spaces that are named at once. */
const maxSpaces = 100

/** The Spaces that the agent may enter, newest first. */
export async function listSpaces(database: Database, actor: AgentActor): Promise<SpaceRow[]> {
  const filter = { within: actor.spaces, deleted: false, before_id: null, limit: maxSpaces }
  return await createSpacesRepo(database).list(filter)
}

/**
 * The Space with this slug or id, or without one the only one that the agent may enter. Throws a 400 `AppError` that
 * names those it may.
 */
export async function enterNamedSpace(
  database: Database,
  actor: AgentActor,
  named: string | undefined,
): Promise<SpaceRow> {
  const found = named === undefined ? null : await findSpace(database, actor, named)
  if (found) return found
  const spaces = await listSpaces(database, actor)
  if (named === undefined && spaces[0] && spaces.length === 1) return spaces[0]
  const names = spaces.map(({ slug, name }) => `${slug} (${quoteName(name, 24)})`).join(', ')
  throw invalid(`space: choose one of ${names || 'none; this token has no Space'}.`)
}

async function findSpace(database: Database, actor: AgentActor, named: string): Promise<SpaceRow | null> {
  const spaces = createSpacesRepo(database)
  if (z.uuid().safeParse(named).success) return await spaces.find(named, actor.spaces)
  const space = await spaces.findBySlug(named)
  return space && mayEnterSpace(actor, space.id) ? space : null
}
