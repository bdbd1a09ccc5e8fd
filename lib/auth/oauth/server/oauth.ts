// OAuth 2.1 for programs that speak MCP. What is issued are the tokens of agents.

import type { Provider } from 'oidc-provider'
import { v7 as uuid } from 'uuid'
import type { OAuthScope, RegisteredClient } from '../../../contract/auth.ts'
import type { Database } from '../../../db/pool.ts'
import { createOAuthRecordsRepo } from '../../../db/repos/agent_tokens.ts'
import { connectProgram } from '../../agents/connections.ts'
import { readClientMetadata } from '../client-metadata.ts'
import { type ConsentRequest, describeRequest, requestedScopes } from './consent-request.ts'
import {
  createProviders,
  type Exchange,
  type OpenRequest,
  type Providers,
  type ProvidersDeps,
} from './providers.ts'

/** What the owner allows. */
export type Terms = {
  tier: OAuthScope
  /** Null: all Spaces. */
  spaces: string[] | null
  /** Null: until it is disconnected. */
  days: number | null
}

export type OAuth = Pick<Providers, 'serve'> & {
  /** Registers a client (RFC 7591). Throws `AppError` as `readClientMetadata` does. */
  register(metadata: unknown): Promise<RegisteredClient>
  /** What the browser was sent here to be asked; null when that is over. */
  findRequest(exchange: Exchange): Promise<ConsentRequest | null>
  /** Connects the program. The address to go on to; null when the request is over. Throws a 404 for an unknown Space. */
  allow(exchange: Exchange, terms: Terms): Promise<string | null>
  deny(exchange: Exchange): Promise<string | null>
}

export type OAuthDeps = ProvidersDeps & { database: Database }

/** Whose all tokens are. */
const accountId = 'owner'
const openDays = 3650
const dayMs = 24 * 60 * 60 * 1000

export function createOAuth(deps: OAuthDeps): OAuth {
  const { database, now } = deps
  const { serve, findOpen } = createProviders(deps)

  return {
    serve,

    async register(stated) {
      const metadata = readClientMetadata(stated)
      const client_id_issued_at = Math.floor(now().getTime() / 1000)
      const client = { client_id: uuid(), client_id_issued_at, ...metadata }
      const record = {
        kind: 'Client',
        id: client.client_id,
        payload: client,
        grant_id: null,
        expires_at: null,
      }
      await createOAuthRecordsRepo(database).upsert(record, now())
      return client
    },

    async findRequest(exchange) {
      const open = await findOpen(exchange)
      return open && (await describeRequest(database, now(), open.interaction))
    },

    async allow(exchange, terms) {
      const open = await findOpen(exchange)
      const request = open && (await describeRequest(database, now(), open.interaction))
      if (!request) return null
      // Pressed twice: it is connected.
      if (open.interaction.result) return open.interaction.returnTo
      const grantId = await grant(open, { request, terms, resource: exchange.site.resource })
      return await finish(exchange, open.provider, {
        login: { accountId, remember: false },
        consent: { grantId },
      })
    },

    async deny(exchange) {
      const open = await findOpen(exchange)
      if (!open) return null
      const result = { error: 'access_denied', error_description: 'The owner declined.' }
      return await finish(exchange, open.provider, result)
    },
  }

  async function grant(
    { provider, interaction }: OpenRequest,
    given: { request: ConsentRequest; terms: Terms; resource: string },
  ): Promise<string> {
    const { client_id, name } = given.request
    const { tier, spaces, days } = given.terms
    const scopes = requestedScopes(interaction).filter((scope) => scope === 'read' || tier === 'suggest')
    const end = new Date(now().getTime() + (days ?? openDays) * dayMs)
    const made = new provider.Grant({
      accountId,
      clientId: client_id,
      exp: Math.floor(end.getTime() / 1000),
    })
    made.addResourceScope(given.resource, scopes.join(' '))
    const grant_id = await made.save()
    await database.transaction((tx) =>
      connectProgram(tx, {
        grant_id,
        client_id,
        client_name: name ?? '',
        spaces,
        tier: scopes.includes('suggest') ? 'suggest' : 'read',
        expires_at: days === null ? null : end.toISOString(),
      }),
    )
    return grant_id
  }
}

const finish = async ({ req, res }: Exchange, provider: Provider, result: object): Promise<string> =>
  await provider.interactionResult(req, res, result, { mergeWithLastSubmission: false })
