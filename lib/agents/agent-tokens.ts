import { v7 as uuid } from 'uuid'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { AgentToken } from '../contract/agents.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentTokensRepo } from '../db/repos/agent_tokens.ts'
import { invalid, notFound } from '../errors.ts'
import { checkSpaces, findAgent } from './agents.ts'

export type NewToken = {
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
  if (expires_at && new Date(expires_at) <= now) throw invalid('expires_at: is in the past.')
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
