// Finding out who is asking. A bearer token decides alone: with one, no cookie is looked at, so an agent's token
// beside the owner's cookie is an agent. Without one, the owner's session cookie counts.

import type { Database } from '../db/pool.ts'
import { createAgentTokensRepo, type LiveToken } from '../db/repos/agent_tokens.ts'
import { createOwnerSessionsRepo } from '../db/repos/owner_sessions.ts'
import { unauthorized } from '../errors.ts'
import type { Actor, AgentActor } from './actor.ts'
import { hashSecret, isSameSecret, newSecret } from './secrets.ts'

export type Credentials = {
  /** The `Authorization` header. */
  authorization: string | undefined
  /** The value of the session cookie. */
  session: string | undefined
}

export type Identity = { actor: Actor; via: 'bearer' | 'session'; tokenId: string | null }

export type Authentication = {
  /** Throws a 401 `AppError` unless the credentials are somebody's. */
  identify(credentials: Credentials): Promise<Identity>
  /** Exchanges the owner token for a session; throws a 401 `AppError` for a wrong one. */
  openSession(ownerToken: string): Promise<{ session: string; maxAgeMs: number }>
  closeSession(session: string): Promise<void>
}

export type AuthenticationDeps = { database: Database; ownerToken: string; now: () => Date }

const sessionMs = 30 * 24 * 60 * 60 * 1000
/** A token's last use is noted at most once a minute: a write for every request would cost more than it tells. */
const touchEveryMs = 60_000

export function createAuthentication({ database, ownerToken, now }: AuthenticationDeps): Authentication {
  const ownerTokenHash = hashSecret(ownerToken)
  const tokens = createAgentTokensRepo(database)
  const sessions = createOwnerSessionsRepo(database)

  return {
    async identify({ authorization, session }) {
      if (authorization !== undefined) return await identifyBearer(authorization)
      if (session && (await sessions.isLive(hashSecret(session), ownerTokenHash, now()))) {
        return { actor: { kind: 'owner' }, via: 'session', tokenId: null }
      }
      throw unauthorized('Sign in, or send the owner’s or an agent’s token as “Authorization: Bearer …”.')
    },

    async openSession(token) {
      if (!isSameSecret(token, ownerToken)) throw unauthorized('This is not the owner’s token.')
      const session = newSecret('session')
      await sessions.insert({
        token_hash: hashSecret(session),
        owner_token_hash: ownerTokenHash,
        expires_at: new Date(now().getTime() + sessionMs),
        now: now(),
      })
      return { session, maxAgeMs: sessionMs }
    },

    async closeSession(session) {
      await sessions.remove(hashSecret(session))
    },
  }

  async function identifyBearer(authorization: string): Promise<Identity> {
    const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!secret) throw unauthorized('The Authorization header must be “Bearer” and a token.')
    if (isSameSecret(secret, ownerToken)) return { actor: { kind: 'owner' }, via: 'bearer', tokenId: null }

    const token = await tokens.findLive(hashSecret(secret), now())
    if (!token) throw unauthorized('This token is unknown, expired or revoked.')
    await noteUse(token)
    return { actor: toActor(token), via: 'bearer', tokenId: token.id }
  }

  async function noteUse({ id, last_used_at }: LiveToken): Promise<void> {
    const before = last_used_at ? new Date(last_used_at).getTime() : 0
    if (now().getTime() - before > touchEveryMs) await tokens.touch(id, now())
  }
}

/** The agent, narrowed by its token: the fewer Spaces and the lower tier win. */
function toActor(token: LiveToken): AgentActor {
  const { read, suggest } = token.capabilities
  return {
    kind: 'agent',
    agent_id: token.agent_id,
    slug: token.slug,
    capabilities: { read, suggest: suggest && token.tier === 'suggest', write: false },
    spaces: intersect(token.scopes.spaces, token.spaces),
  }
}

function intersect(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null) return b
  if (b === null) return a
  return a.filter((id) => b.includes(id))
}
