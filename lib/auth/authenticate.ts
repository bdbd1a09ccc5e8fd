// Finding out who is asking. A bearer token decides alone: with one, no cookie is looked at, so an agent's token
// beside the owner's cookie is an agent. Without one, the owner's session cookie counts. An access token of OAuth stands
// for the token of the connection that it was issued for, at the resource it was issued for and nowhere else.

import type { Actor, AgentActor } from '../core/actor.ts'
import { unauthorized } from '../core/errors.ts'
import { createAgentTokensRepo, type LiveToken } from '../db/repos/agent_tokens.ts'
import { createOwnerSessions, type OwnerSessions } from './owner-sessions.ts'
import { hashSecret, isSameSecret } from './owner-token.ts'
import { createPasskeys, type Passkeys, type PasskeysDeps } from './passkeys.ts'

type Credentials = {
  /** The `Authorization` header. */
  authorization: string | undefined
  /** The value of the session cookie. */
  session: string | undefined
  /** The resource that is asked for, where access tokens of OAuth are taken at all. */
  resource?: string | undefined
}

export type Identity = {
  actor: Actor
  via: 'bearer' | 'session'
  tokenId: string | null
  /** Its token of OAuth only reads, and the owner could let it draft: its agent may. */
  mayAskToDraft?: boolean
}

/** What an access token of OAuth begins with. */
export const accessTokenPrefix = 'oauth_'

export type Authentication = OwnerSessions & {
  passkeys: Passkeys
  /** Throws a 401 `AppError` unless the credentials are somebody's. */
  identify(credentials: Credentials): Promise<Identity>
  /** Whether an `Authorization` header holds the secret that reads the metrics and nothing else. */
  isMetricsToken(authorization: string | undefined): boolean
}

/** A token's last use is noted at most once a minute: a write for every request would cost more than it tells. */
const touchEveryMs = 60_000

/** Without a `metricsToken` none is accepted. */
export function createAuthentication(
  deps: PasskeysDeps & { metricsToken?: string | null | undefined },
): Authentication {
  const { database, ownerToken, metricsToken, now } = deps
  const tokens = createAgentTokensRepo(database)
  const passkeys = createPasskeys(deps)
  const sessions = createOwnerSessions({ ...deps, passkeys })

  return {
    ...sessions,
    passkeys,

    async identify({ authorization, session, resource }) {
      if (authorization !== undefined) return await identifyBearer(authorization, resource)
      const session_id = session ? await sessions.findSession(session) : null
      if (session_id) return { actor: { kind: 'owner', session_id }, via: 'session', tokenId: null }
      throw unauthorized('Sign in, or send the owner’s or an agent’s token as “Authorization: Bearer …”.')
    },

    isMetricsToken(authorization) {
      const secret = authorization === undefined ? undefined : bearerOf(authorization)
      return Boolean(metricsToken && secret && isSameSecret(secret, metricsToken))
    },
  }

  async function identifyBearer(authorization: string, resource: string | undefined): Promise<Identity> {
    const secret = bearerOf(authorization)
    if (!secret) throw unauthorized('The Authorization header must be “Bearer” and a token.')
    if (isSameSecret(secret, ownerToken)) return { actor: { kind: 'owner' }, via: 'bearer', tokenId: null }

    const token = await findToken(secret, resource)
    if (!token) throw unauthorized('This token is unknown, expired or revoked.')
    await noteUse(token)
    const mayAskToDraft =
      secret.startsWith(accessTokenPrefix) && token.capabilities.suggest && token.tier === 'read'
    return { actor: toActor(token), via: 'bearer', tokenId: token.id, mayAskToDraft }
  }

  async function findToken(secret: string, resource: string | undefined): Promise<LiveToken | null> {
    if (!secret.startsWith(accessTokenPrefix)) return await tokens.findLive(hashSecret(secret), now())
    return resource ? await tokens.findLiveConnection(hashSecret(secret), resource, now()) : null
  }

  async function noteUse({ id, last_used_at }: LiveToken): Promise<void> {
    const before = last_used_at ? new Date(last_used_at).getTime() : 0
    if (now().getTime() - before > touchEveryMs) await tokens.touch(id, now())
  }
}

const bearerOf = (authorization: string) => /^Bearer +(\S+)$/i.exec(authorization)?.[1]

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
