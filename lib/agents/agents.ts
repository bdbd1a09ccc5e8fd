import { v7 as uuid } from 'uuid'
import type { Agent } from '../contract/agents.ts'
import { firstCompanion } from '../contract/companion-facts.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { looksLikeAppActor, looksLikeCompanion } from './app-actor.ts'
import { type CompanionFields, checkOwnName, handOver, noCompanion } from './companion-fields.ts'

/** The owner's settings of an agent; `spaces` null: it may enter all. */
export type AgentSettings = {
  name: string
  capabilities: { read: boolean; suggest: boolean }
  spaces: string[] | null
}

/** What `undefined` says nothing of stays. */
export type AgentChange = { [Name in 'name' | 'spaces']?: AgentSettings[Name] | undefined } & {
  capabilities?: { [Name in 'read' | 'suggest']?: boolean | undefined } | undefined
} & { [Name in keyof CompanionFields]?: CompanionFields[Name] | undefined }

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
      ...noCompanion,
      id: uuid(),
      slug,
      kind: 'external',
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
 * Fields left out are unchanged. The conversations of a companion that leaves a Space go on with the first one. In a
 * transaction. Throws `AppError`: 404 for an unknown agent or Space, 400 for a new name of Void’s own actors (the first
 * companion may have its own) and for settings of companions on an external agent, 409 `name_taken`.
 */
export async function updateAgent(tx: Queryable, id: string, change: AgentChange): Promise<Agent> {
  const agent = await findAgent(tx, id)
  const { name, kind, slug, capabilities, scopes } = agent
  const { capabilities: granted, spaces = scopes.spaces, name: newName = name, ...own } = change
  if (newName !== name) {
    if (slug !== firstCompanion || !looksLikeCompanion(newName)) checkName('name', newName)
    if (kind === 'companion') await checkOwnName(tx, newName, id)
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  if (kind === 'external' && given[0]) throw invalid(`${given[0][0]}: only a companion has this.`)
  await checkSpaces(tx, change.spaces ?? null)
  const updated = await createAgentsRepo(tx).update(id, {
    ...agent,
    ...Object.fromEntries(given),
    name: newName,
    capabilities: {
      read: granted?.read ?? capabilities.read,
      suggest: granted?.suggest ?? capabilities.suggest,
      write: false,
    },
    scopes: { spaces },
  })
  if (spaces && kind === 'companion' && slug !== firstCompanion) await handOver(tx, id, spaces)
  return updated
}

export function checkName(field: 'name' | 'slug', value: string): void {
  if (!looksLikeAppActor(value)) return
  throw invalid(`${field}: “${value}” looks like you or Void itself. Choose a different ${field}.`)
}

/** Throws a 404 `AppError` for a Space that does not exist. */
export async function checkSpaces(db: Queryable, spaceIds: readonly string[] | null): Promise<void> {
  for (const spaceId of spaceIds ?? []) {
    if (!(await createSpacesRepo(db).find(spaceId, null))) throw notFound('Space', spaceId)
  }
}
