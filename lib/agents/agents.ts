import { v7 as uuid } from 'uuid'
import type { Agent } from '../contract/agents.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { looksLikeAppActor, looksLikeCompanion } from './app-actor.ts'

/** The owner's settings of an external agent; `spaces` null: it may enter all. */
export type AgentSettings = {
  name: string
  capabilities: { read: boolean; suggest: boolean }
  spaces: string[] | null
}

export type AgentChange = Partial<Omit<AgentSettings, 'capabilities'>> & {
  capabilities?: Partial<AgentSettings['capabilities']>
}

/** Throws a 404 `AppError`. */
export async function findAgent(db: Queryable, id: string): Promise<Agent> {
  const agent = await createAgentsRepo(db).find(id)
  if (!agent) throw notFound('agent', id)
  return agent
}

/** Throws `AppError`: 400 for a name of Void’s own actors, 404 for an unknown Space, 409 `slug_taken`. */
export async function createAgent(db: Queryable, agent: AgentSettings & { slug: string }): Promise<Agent> {
  const { slug, name, capabilities, spaces } = agent
  checkName('name', name)
  checkName('slug', slug)
  await checkSpaces(db, spaces)
  try {
    return await createAgentsRepo(db).insert({
      id: uuid(),
      slug,
      name,
      capabilities: { ...capabilities, write: false },
      scopes: { spaces },
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('slug_taken', `Another agent already has the slug ${slug}.`)
  }
}

/**
 * Fields left out are unchanged. Throws `AppError`: 404 for an unknown agent or Space, 400 for a new name of Void’s own
 * actors; the companion may have its own.
 */
export async function updateAgent(db: Queryable, id: string, change: AgentChange): Promise<Agent> {
  const { name, kind, capabilities, scopes } = await findAgent(db, id)
  const isOwn = change.name === name || (kind === 'companion' && looksLikeCompanion(change.name ?? name))
  if (change.name !== undefined && !isOwn) checkName('name', change.name)
  await checkSpaces(db, change.spaces ?? null)
  return await createAgentsRepo(db).update(id, {
    name: change.name ?? name,
    capabilities: { ...capabilities, ...change.capabilities, write: false },
    scopes: { spaces: change.spaces === undefined ? scopes.spaces : change.spaces },
  })
}

function checkName(field: 'name' | 'slug', value: string): void {
  if (!looksLikeAppActor(value)) return
  throw invalid(`${field}: “${value}” looks like you or Void itself. Choose a different ${field}.`)
}

/** Throws a 404 `AppError` for a Space that does not exist. */
export async function checkSpaces(db: Queryable, spaceIds: readonly string[] | null): Promise<void> {
  for (const spaceId of spaceIds ?? []) {
    if (!(await createSpacesRepo(db).find(spaceId, null))) throw notFound('Space', spaceId)
  }
}
