import type { Interaction } from 'oidc-provider'
import { z } from 'zod'
import { type OAuthScope, oauthScopes } from '../../../contract/auth.ts'
import { isLoopback } from '../../../core/net/addresses.ts'
import type { Database } from '../../../db/pool.ts'
import { createOAuthRecordsRepo } from '../../../db/repos/agent_tokens.ts'
import { isDocumentUrl } from '../client-document.ts'

/** What the owner is asked. */
export type ConsentRequest = {
  client_id: string
  /** What the program calls itself, or null. */
  name: string | null
  /** The host whose document describes the program; null: it registered itself, and may be anybody. */
  publisher: string | null
  /** Where the answer goes. */
  destination: { host: string; local: boolean }
  maySuggest: boolean
}

const parameters = z.object({ client_id: z.string(), redirect_uri: z.url(), scope: z.string().optional() })

/** Null when its client is gone. */
export async function describeRequest(
  database: Database,
  now: Date,
  interaction: Interaction,
): Promise<ConsentRequest | null> {
  const { client_id, redirect_uri } = parameters.parse(interaction.params)
  const client = await createOAuthRecordsRepo(database).find('Client', client_id, now)
  if (!client) return null
  const { client_name } = client
  const { host, hostname, protocol } = new URL(redirect_uri)
  const isApp = !/^https?:$/.test(protocol)
  return {
    client_id,
    name: typeof client_name === 'string' && client_name !== '' ? client_name : null,
    publisher: isDocumentUrl(client_id) ? new URL(client_id).hostname : null,
    destination: {
      host: isApp ? `${protocol}//${host}` : host,
      local: isApp || isLoopback(hostname),
    },
    maySuggest: requestedScopes(interaction).includes('suggest'),
  }
}

/** The scopes that were asked for, as far as there are such. */
export function requestedScopes({ params }: Interaction): OAuthScope[] {
  const asked = String(params.scope ?? '').split(' ')
  return oauthScopes.filter((scope) => asked.includes(scope))
}

/** The scopes of a request as it is passed on: what may draft reads, too; a request that names none of ours asks for all. */
export function normalizeScope(scope: string | null): string {
  const asked = (scope ?? '').split(' ')
  return asked.includes('read') && !asked.includes('suggest') ? 'read' : oauthScopes.join(' ')
}
