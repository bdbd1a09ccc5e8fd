// Programs that the owner has connected by OAuth. Each grant is a row among the tokens of an agent.

import { v7 as uuid } from 'uuid'
import type { AgentToken } from '../../contract/agents.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAgentTokensRepo } from '../../db/repos/agent_tokens.ts'
import { checkSpaces, createAgent } from './agents.ts'
import { looksLikeAppActor } from './app-actor.ts'
import { freeSlug } from './free-slug.ts'

export type NewConnection = Pick<AgentToken, 'spaces' | 'tier' | 'expires_at'> & {
  client_id: string
  grant_id: string
  /** What the program calls itself; empty when it does not say. */
  client_name: string
}

/**
 * Connects a program as the agent that it was before, or as a new one. Throws a 404 `AppError` for an unknown Space. In a
 * transaction.
 */
export async function connectProgram(tx: Queryable, connection: NewConnection): Promise<void> {
  const { client_id, client_name, spaces } = connection
  await checkSpaces(tx, spaces)
  const name = agentName(client_name)
  const agent_id =
    (await createAgentTokensRepo(tx).findAgentOfClient(client_id)) ?? (await createAgentNamed(tx, name))
  await createAgentTokensRepo(tx).insertConnection({ ...connection, id: uuid(), agent_id, name })
}

/** The name as an agent may have it: what a program calls itself must not pass for the owner or for Void, nor for nobody. */
function agentName(clientName: string): string {
  const name = clientName.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
  return !/[\p{L}\p{N}]/u.test(name) || looksLikeAppActor(name) ? 'Connected program' : name
}

async function createAgentNamed(tx: Queryable, name: string): Promise<string> {
  const slug = await freeSlug(tx, name, 'program')
  const capabilities = { read: true, suggest: true }
  return (await createAgent(tx, { slug, name, capabilities, spaces: null })).id
}
