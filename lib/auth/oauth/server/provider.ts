// oidc-provider, with everything off that programs of MCP have no use for: no ID tokens, no secrets of
// clients, no sessions of its own. https://github.com/panva/node-oidc-provider

import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Client, type Context, errors, interactionPolicy, Provider } from 'oidc-provider'
import { oauthScopes } from '../../../contract/auth.ts'
import { AppError } from '../../../core/errors.ts'
import type { Logger } from '../../../core/logger.ts'
import { basePathOf } from '../../../core/net/public-url.ts'
import type { Network } from '../../../core/net/safe-fetch.ts'
import { accessTokenPrefix } from '../../authenticate.ts'
import { newSecret } from '../../owner-token.ts'
import { fetchDocument } from '../client-document.ts'
import { readClientMetadata } from '../client-metadata.ts'
import { consentPath, endpoints, oauthPath, type Site } from '../metadata.ts'
import { createAdapter, type StoreDeps } from './adapter.ts'

export type ProviderDeps = StoreDeps & {
  logger: Logger
  /** Fetches client metadata documents. Default: HTTPS. */
  network?: Partial<Network> | undefined
  /** The page that says what is wrong with a request. */
  renderError: (req: IncomingMessage, message: string) => Promise<string>
}

const minute = 60

const hour = 60 * minute

const day = 24 * hour

const accessTokenSeconds = hour

const maxIdleSeconds = 90 * day

const documentSeconds = { min: 5 * minute, max: day }

export function createProvider(site: Site, deps: ProviderDeps): Provider {
  const provider = new Provider(site.issuer, {
    ...protocol,
    adapter: (kind: string) => createAdapter(deps, kind),
    // A client has to have an algorithm for ID tokens, which are never issued: the key signs nothing and is kept nowhere.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    fetch: (url: string) => fetchClient(url, deps.network),
    // Whoever could get so far is the owner: nobody else is shown the page that decides.
    findAccount: (_ctx: Context, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    features: featuresOf(site),
    interactions: {
      policy: [askAlways()],
      url: (ctx: Context, { uid }: { uid: string }) => startConsent(deps, ctx, uid),
    },
    async renderError(ctx: Context, _out: unknown, error: Error) {
      ctx.type = 'html'
      ctx.body = await deps.renderError(ctx.req, messageOf(error))
    },
  })
  // Its addresses are made from the site: see `pinOrigin`.
  provider.proxy = true
  provider.on('error', (error) => deps.logger.error({ err: error }, 'authorization server failed'))
  provider.on('server_error', (_ctx, error) =>
    deps.logger.error({ err: error }, 'authorization server failed'),
  )
  provider.use(allowNoOrigin)
  prefixAccessTokens(provider)
  return provider
}

/** Pages of other sites read no answer of this server, not those of the authorization server either. */
async function allowNoOrigin(ctx: Context, next: () => Promise<void>): Promise<void> {
  await next()
  for (const name of Object.keys(ctx.response.headers)) {
    if (name.startsWith('access-control-')) ctx.remove(name)
  }
}

/** An access token can be told from an agent's token, and from a guess of the owner's. */
function prefixAccessTokens({ AccessToken: { prototype } }: Provider): void {
  const { generateTokenId } = prototype
  prototype.generateTokenId = function prefixed() {
    // It also notes the format of the token.
    Reflect.apply(generateTokenId, this, [])
    return newSecret(accessTokenPrefix.slice(0, -1))
  }
}

/** Makes the server take the site for where a request came to, whatever its headers say. */
export function pinOrigin(req: IncomingMessage & { originalUrl?: string }, { issuer }: Site): void {
  const { headers } = req
  const { host, protocol: scheme } = new URL(issuer)
  req.originalUrl = basePathOf(issuer) + (req.originalUrl ?? '')
  headers.host = host
  headers['x-forwarded-proto'] = scheme.slice(0, -1)
  delete headers['x-forwarded-host']
}

const protocol = {
  scopes: [...oauthScopes],
  responseTypes: ['code'],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  clientAuthMethods: ['none'],
  pkce: { required: () => true },
  routes: { ...endpoints, end_session: '/none' },
  clientBasedCORS: () => false,
  expiresWithSession: () => false,
  issueRefreshToken: (_ctx: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  revokeGrantPolicy: () => true,
  allowOmittingSingleRegisteredRedirectUri: false,
  cookies: {
    names: { session: 'void_oauth_session', interaction: 'void_oauth', resume: 'void_oauth_resume' },
    long: { httpOnly: true, sameSite: 'lax', path: oauthPath },
    short: { httpOnly: true, sameSite: 'lax' },
  },
  ttl: {
    AuthorizationCode: minute,
    Interaction: hour,
    Session: hour,
    Grant: day,
    AccessToken: (ctx: Context) => Math.min(accessTokenSeconds, grantSeconds(ctx)),
    RefreshToken: (ctx: Context) => Math.min(maxIdleSeconds, grantSeconds(ctx)),
  },
}

const off = { enabled: false }

const featuresOf = ({ resource }: Site) => ({
  devInteractions: off,
  dPoP: off,
  pushedAuthorizationRequests: off,
  rpInitiatedLogout: off,
  userinfo: off,
  revocation: {
    enabled: true,
    allowedPolicy: (_ctx: Context, { clientId }: Client, token: { clientId: string }) =>
      token.clientId === clientId,
  },
  clientIdMetadataDocument: {
    enabled: true,
    ack: 'draft-02',
    cacheDuration: documentSeconds,
    // Where the owner is at the browser; nobody else makes this server fetch anything.
    allowFetch: (ctx: Context | undefined) => ctx?.oidc.route === 'authorization',
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => resource,
    useGrantedResource: () => true,
    getResourceServerInfo(_ctx: Context, asked: string) {
      if (asked !== resource) throw new errors.InvalidTarget()
      return {
        scope: oauthScopes.join(' '),
        audience: resource,
        accessTokenFormat: 'opaque',
      }
    },
  },
})

/** How long the grant still lasts, if there is one yet. */
function grantSeconds(ctx: Context): number {
  const exp = ctx.oidc.entities.Grant?.exp
  return exp === undefined ? maxIdleSeconds : Math.max(1, exp - Math.floor(Date.now() / 1000))
}

/** The owner is asked each time, whatever was allowed before. */
const askAlways = () =>
  new interactionPolicy.Prompt(
    { name: 'consent', requestable: true },
    new interactionPolicy.Check('not_asked', 'the owner has to be asked', (ctx) => !ctx.oidc.result?.consent),
  )

/** The page that asks. What the client has said of itself is stored: it may not be at hand when its code comes back. */
async function startConsent(deps: StoreDeps, ctx: Context, uid: string): Promise<string> {
  const { client } = ctx.oidc
  await createAdapter(deps, 'Client').upsert(client.clientId, client.metadata())
  return `${consentPath}/${uid}`
}

/** What this server has found wrong, else what the protocol has a name for. */
function messageOf(error: Error): string {
  const { cause } = error
  // One sentence for all causes, which would tell what answers at an address.
  if (cause instanceof AppError && cause.code === 'client_document')
    return 'The document of the program cannot be used.'
  if (cause instanceof AppError) return cause.message
  const described: unknown = Reflect.get(error, 'error_description')
  return typeof described === 'string' ? described : 'The request failed.'
}

/** Whether an error says that there is no such request to connect, or no longer, at this browser. */
export const isOver = (error: unknown): boolean => error instanceof errors.SessionNotFound

/**
 * The document of a client as the authorization server may see it: only what `readClientMetadata` takes over, and the
 * `client_id` that it claims. Throws `AppError`.
 */
async function fetchClient(url: string, network?: Partial<Network>): Promise<Response> {
  const answer = await fetchDocument(url, network)
  const stated = parseJson(await answer.text())
  const client_id: unknown = Object(stated).client_id
  if (client_id !== url)
    throw new AppError('client_document', 400, 'The client’s document describes another client.')
  return new Response(JSON.stringify({ client_id, ...readClientMetadata(stated) }), {
    headers: answer.headers,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('client_document', 400, 'The client’s document is not JSON.', { cause })
  }
}
