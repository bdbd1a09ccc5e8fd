// Companions of the owner's own, beside the one that is there from the start.

import { v7 as uuid } from 'uuid'
import type { Agent, AgentTier } from '../contract/agents.ts'
import { firstCompanion } from '../contract/companion-facts.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createTurnsRepo } from '../db/repos/turns.ts'
import { conflict, notFound } from '../errors.ts'
import { checkName, checkSpaces, findAgent } from './agents.ts'
import { type CompanionFields, checkOwnName, handOver } from './companion-fields.ts'
import { freeSlug } from './free-slug.ts'

export type NewCompanion = CompanionFields & { name: string; tier: AgentTier; spaces: string[] | null }

const maxCompanions = 50

/**
 * In a transaction. Throws `AppError`: 400 for a name of Void’s own actors, 404 for an unknown Space, 409 `name_taken` for
 * a name that looks like that of another companion, 409 `too_many_companions`.
 */
export async function createCompanion(tx: Queryable, settings: NewCompanion): Promise<Agent> {
  const { name, tier, spaces, ...fields } = settings
  checkName('name', name)
  await checkOwnName(tx, name, null)
  await checkSpaces(tx, spaces)
  const agents = createAgentsRepo(tx)
  if ((await agents.listCompanionNames()).length > maxCompanions) throw tooMany()
  return await agents.insert({
    ...fields,
    id: uuid(),
    slug: await freeSlug(tx, name, 'own'),
    kind: 'companion',
    name,
    capabilities: { read: true, suggest: tier === 'suggest', write: false },
    scopes: { spaces },
  })
}

const tooMany = () =>
  conflict(
    'too_many_companions',
    `There are already ${maxCompanions} companions. Delete one that you no longer use.`,
  )

/**
 * Deletes a companion. Its conversations go on with the first one, what it is answering is stopped, what it said and
 * drafted stays. Throws `AppError`: 404 for an unknown one, 409 `not_deletable` for the first one and for other agents.
 */
export async function deleteCompanion(
  { database, stop }: { database: Database; stop: (turnId: string) => Promise<unknown> },
  id: string,
): Promise<Agent> {
  const removed = await database.transaction(async (tx) => {
    await createAgentsRepo(tx).lock(id)
    const agent = await findAgent(tx, id)
    if (agent.kind !== 'companion') throw conflict('not_deletable', revokeInstead)
    if (agent.slug === firstCompanion) throw conflict('not_deletable', `${agent.name} cannot be deleted.`)
    await handOver(tx, id, null)
    await createAgentsRepo(tx).remove(id)
    return agent
  })
  for (const turn of await createTurnsRepo(database).listRunningOfAgent(id)) await stop(turn)
  return removed
}

/**
 * Brings a deleted companion back, with its conversations, in a transaction. Throws `AppError`: 404 for one that is not deleted, 409 `name_taken` or `too_many_companions`.
 */
export async function restoreCompanion(tx: Queryable, id: string): Promise<Agent> {
  const agents = createAgentsRepo(tx)
  const deleted = await agents.findDeletedCompanion(id)
  if (!deleted) throw notFound('deleted companion', id)
  await checkOwnName(tx, deleted.name, id)
  if ((await agents.listCompanionNames()).length > maxCompanions) throw tooMany()
  const restored = await agents.restore(id)
  if (!restored) throw notFound('deleted companion', id)
  return restored
}

const revokeInstead = 'Only companions can be deleted. Revoke the tokens of an external agent instead.'
