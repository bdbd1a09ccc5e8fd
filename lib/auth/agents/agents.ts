import { v7 as uuid } from 'uuid'
import type { Agent, AgentColor, AgentTier, AgentToken } from '../../contract/agents.ts'
import { firstCompanion, maxCompanionName } from '../../contract/limits.ts'
import type { ThinkingLevel } from '../../contract/model.ts'
import { conflict, invalid, notFound } from '../../core/errors.ts'
import { lookOf } from '../../core/text/mixed-scripts.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAgentTokensRepo } from '../../db/repos/agent_tokens.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'
import { hashSecret, newSecret } from '../owner-token.ts'
import { looksLikeAppActor, looksLikeCompanion } from './app-actor.ts'
import { freeSlug } from './free-slug.ts'

/** The owner's settings of an agent; `spaces` null: it may enter all. */
type AgentSettings = {
  name: string
  capabilities: { read: boolean; suggest: boolean }
  spaces: string[] | null
}

/** What `undefined` says nothing of stays. */
type AgentChange = { [Name in 'name' | 'spaces']?: AgentSettings[Name] | undefined } & {
  capabilities?: { [Name in 'read' | 'suggest']?: boolean | undefined } | undefined
  /** Of external agents alone. */
  research_tokens?: number | undefined
} & { [Name in keyof CompanionFields]?: CompanionFields[Name] | undefined }

/** Throws a 404 `AppError`. */
export async function findAgent(db: Queryable, id: string): Promise<Agent> {
  const agent = await createAgentsRepo(db).find(id)
  if (!agent) throw notFound('agent', id)
  return agent
}

/**
 * In a transaction. Throws `AppError`: 400 for a name of Void’s own actors, 404 for an unknown Space, 409 `slug_taken`.
 */
export async function createAgent(tx: Queryable, agent: AgentSettings & { slug: string }): Promise<Agent> {
  const { slug, name, capabilities, spaces } = agent
  checkName('name', name)
  checkName('slug', slug)
  await checkSpaces(tx, spaces)
  const agents = createAgentsRepo(tx)
  await agents.lockNames()
  if (await agents.findBySlug(slug)) {
    throw conflict('slug_taken', `Another agent already has the slug ${slug}.`)
  }
  return await agents.insert({
    ...noCompanion,
    research_tokens: 0,
    id: uuid(),
    slug,
    kind: 'external',
    name,
    capabilities: { ...capabilities, write: false },
    scopes: { spaces },
  })
}

/**
 * Fields left out are unchanged. The conversations of a companion that leaves a Space go on with the first one. In a
 * transaction. Throws `AppError`: 404 for an unknown agent or Space, 400 for a new name of Void’s own actors (the first
 * companion may have its own) and for settings of one kind on the other, 409 `name_taken`.
 */
export async function updateAgent(tx: Queryable, id: string, change: AgentChange): Promise<Agent> {
  if (change.name !== undefined) await createAgentsRepo(tx).lockNames()
  const agent = await findAgent(tx, id)
  const { name, kind, slug, capabilities, scopes } = agent
  const {
    capabilities: granted,
    spaces = scopes.spaces,
    name: newName = name,
    research_tokens,
    ...own
  } = change
  if (newName !== name) {
    if (slug !== firstCompanion || !looksLikeCompanion(newName)) checkName('name', newName)
    if (kind === 'companion') await checkOwnName(tx, newName, id)
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  if (kind === 'external' && given[0]) throw invalid(`${given[0][0]}: applies to companions only.`)
  if (kind === 'companion' && research_tokens !== undefined)
    throw invalid('research_tokens: applies to external agents only.')
  await checkSpaces(tx, change.spaces ?? null)
  const updated = await createAgentsRepo(tx).update(id, {
    ...agent,
    ...Object.fromEntries(given),
    research_tokens: research_tokens ?? agent.research_tokens,
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

function checkName(field: 'name' | 'slug', value: string): void {
  if (!looksLikeAppActor(value)) return
  throw invalid(`${field}: “${value}” resembles you or Void itself. Choose a different ${field}.`)
}

/** Throws a 404 `AppError` for a Space that does not exist. */
export async function checkSpaces(db: Queryable, spaceIds: readonly string[] | null): Promise<void> {
  for (const spaceId of spaceIds ?? []) {
    if (!(await createSpacesRepo(db).find(spaceId, null))) throw notFound('Space', spaceId)
  }
}

type NewToken = {
  agent_id: string
  name: string
  /** `null`: all that its agent may enter. */
  spaces: string[] | null
  tier: AgentToken['tier']
  expires_at: string | null
}

/** The tokens of an agent, the newest first. Throws a 404 `AppError`. */
export async function listTokens(
  db: Queryable,
  agentId: string,
  page: { before_id: string | null; limit: number },
): Promise<AgentToken[]> {
  await findAgent(db, agentId)
  return await createAgentTokensRepo(db).listOfAgent(agentId, page)
}

/**
 * Creates a token; only this result holds `token` itself. Throws `AppError`: 404 for an unknown agent or
 * Space, 400 when it would have expired already.
 */
export async function createToken(
  db: Queryable,
  now: Date,
  { agent_id, name, spaces, tier, expires_at }: NewToken,
): Promise<AgentToken & { token: string }> {
  await findAgent(db, agent_id)
  await checkSpaces(db, spaces)
  if (expires_at && new Date(expires_at) <= now) throw invalid('expires_at: must be in the future.')
  const token = newSecret('agent')
  const row = await createAgentTokensRepo(db).insert({
    id: uuid(),
    agent_id,
    name,
    token_hash: hashSecret(token),
    hint: token.slice(-4),
    spaces,
    tier,
    expires_at,
  })
  return { ...row, token }
}

/** Takes effect immediately. Throws a 404 `AppError`. */
export async function revokeToken(db: Queryable, agentId: string, tokenId: string): Promise<AgentToken> {
  const row = await createAgentTokensRepo(db).revoke(agentId, tokenId)
  if (!row) throw notFound('token', tokenId)
  return row
}

// Companions of the owner's own, beside the one that is there from the start.

type NewCompanion = CompanionFields & { name: string; tier: AgentTier; spaces: string[] | null }

const maxCompanions = 50

/**
 * In a transaction. Throws `AppError`: 400 for a name of Void’s own actors, 404 for an unknown Space, 409 `name_taken` for
 * a name that looks like that of another companion, 409 `too_many_companions`.
 */
export async function createCompanion(tx: Queryable, settings: NewCompanion): Promise<Agent> {
  const { name, tier, spaces, ...fields } = settings
  checkName('name', name)
  const agents = createAgentsRepo(tx)
  await agents.lockNames()
  await checkOwnName(tx, name, null)
  await checkSpaces(tx, spaces)
  if ((await agents.listCompanionNames()).length > maxCompanions) throw tooMany()
  return await agents.insert({
    ...fields,
    research_tokens: 0,
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
  await agents.lockNames()
  const deleted = await agents.findDeletedCompanion(id)
  if (!deleted) throw notFound('deleted companion', id)
  await checkOwnName(tx, deleted.name, id)
  if ((await agents.listCompanionNames()).length > maxCompanions) throw tooMany()
  const restored = await agents.restore(id)
  if (!restored) throw notFound('deleted companion', id)
  return restored
}

const revokeInstead = 'Only companions can be deleted. Revoke the tokens of an external agent instead.'

// What an agent that answers in the rail has besides other agents.

export type CompanionFields = {
  instructions: string
  /** `null`: the configured one. */
  model: string | null
  thinking: ThinkingLevel
  /** `null`: all that it may use. */
  tools: string[] | null
  color: AgentColor | null
}

export const noCompanion: CompanionFields = {
  ...{ instructions: '', model: null, thinking: 'auto' },
  ...{ tools: null, color: null },
}

/**
 * A companion is asked by its name: that can be read, and looks like no other. Throws `AppError`: 400, 409 `name_taken`.
 */
async function checkOwnName(tx: Queryable, name: string, ownId: string | null): Promise<void> {
  if (name.length > maxCompanionName) throw invalid(`name: is longer than ${maxCompanionName} characters.`)
  if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('name: must contain a letter or digit.')
  const names = await createAgentsRepo(tx).listCompanionNames()
  const other = names.find((one) => one.id !== ownId && sameLook(one.name, name))
  if (other) throw conflict('name_taken', `There is already a companion named “${other.name}”.`)
}

const sameLook = (one: string, other: string) => visible(one) === visible(other)

const visible = (name: string) =>
  lookOf(name.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))
    .split(/\s+/)
    .join(' ')

/** The first companion goes on with the conversations that another one has outside of `spaces` (`null`: with all). */
async function handOver(tx: Queryable, id: string, spaces: readonly string[] | null): Promise<void> {
  const heir = await createAgentsRepo(tx).findBySlug(firstCompanion)
  if (heir) await createConversationsRepo(tx).handOver(id, heir.id, spaces)
}
