import type { Queryable } from '../pool.ts'
import type { AgentRow } from './agents.ts'

export type TokenTier = 'read' | 'suggest'

/** A token as it may be shown: never its hash, only the last characters of its text. */
export type TokenRow = {
  id: string
  agent_id: string
  name: string
  hint: string
  spaces: string[] | null
  tier: TokenTier
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export type LiveToken = Pick<TokenRow, 'id' | 'spaces' | 'tier' | 'last_used_at'> &
  Pick<AgentRow, 'slug' | 'capabilities' | 'scopes'> & { agent_id: string }

const columns = 'id, agent_id, name, hint, spaces, tier, created_at, expires_at, last_used_at, revoked_at'

export type AgentTokensRepo = ReturnType<typeof createAgentTokensRepo>

export function createAgentTokensRepo(db: Queryable) {
  return {
    /** The token with that hash and its agent, unless it is revoked or expired. */
    async findLive(tokenHash: string, now: Date): Promise<LiveToken | null> {
      const { rows } = await db.query<LiveToken>(
        `select token.id, token.agent_id, token.spaces, token.tier, token.last_used_at,
                agent.slug, agent.capabilities, agent.scopes
         from agent_tokens token
         join agents agent on agent.id = token.agent_id
         where token.token_hash = $1
           and token.revoked_at is null
           and (token.expires_at is null or token.expires_at > $2)`,
        [tokenHash, now],
      )
      return rows[0] ?? null
    },

    async touch(id: string, now: Date): Promise<void> {
      await db.query('update agent_tokens set last_used_at = $2 where id = $1', [id, now])
    },

    /** Newest first, revoked and expired ones included. */
    async listOfAgent(
      agentId: string,
      filter: { before_id: string | null; limit: number },
    ): Promise<TokenRow[]> {
      const { rows } = await db.query<TokenRow>(
        `select ${columns}
         from agent_tokens
         where agent_id = $1 and ($2::uuid is null or id < $2)
         order by id desc
         limit $3`,
        [agentId, filter.before_id, filter.limit],
      )
      return rows
    },

    async insert(
      token: Pick<TokenRow, 'id' | 'agent_id' | 'name' | 'hint' | 'spaces' | 'tier' | 'expires_at'> & {
        token_hash: string
      },
    ): Promise<TokenRow> {
      const { rows } = await db.query<TokenRow>(
        `insert into agent_tokens (id, agent_id, name, token_hash, hint, spaces, tier, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         returning ${columns}`,
        [
          token.id,
          token.agent_id,
          token.name,
          token.token_hash,
          token.hint,
          token.spaces,
          token.tier,
          token.expires_at,
        ],
      )
      return rows[0]!
    },

    /** Revokes the token; one that was revoked before keeps its time. */
    async revoke(agentId: string, id: string): Promise<TokenRow | null> {
      const { rows } = await db.query<TokenRow>(
        `update agent_tokens
         set revoked_at = coalesce(revoked_at, now())
         where agent_id = $1 and id = $2
         returning ${columns}`,
        [agentId, id],
      )
      return rows[0] ?? null
    },
  }
}
