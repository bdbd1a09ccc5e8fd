// Where the owner signs in to a source: what the source says (RFC 9728), and what the authorization server says of
// itself (RFC 8414). Both are words from outside: see `createSafeFetch` for what is asked at all.

import { AppError } from '../../../core/errors.ts'
import { isLoopback } from '../../../core/net/addresses.ts'
import { withCountedJson } from '../../../core/net/read-body.ts'
import type { SafeFetch } from '../../../core/net/safe-fetch.ts'
import { AuthorizationServer, OAuthClient } from './sign-in-record.ts'

type Discovered = {
  server: AuthorizationServer
  /** What a token is asked for (RFC 8707). */
  resource: string
  /** Undefined: as the server has it. */
  scope: string | undefined
}

type Sdk = typeof import('@modelcontextprotocol/client')

type Challenge = ReturnType<Sdk['extractWWWAuthenticateParams']>

const maxScopeLength = 1000

const answerBounds = { bytes: 100_000, values: 1000, depth: 20 }

/** For the SDK, whose schemas take a second for an answer of many wrong items. */
export const countAnswers = (fetchFn: SafeFetch): SafeFetch => withCountedJson(fetchFn, answerBounds)

/** Throws an `AppError` `source_failed` that says what is missing or wrong. */
export async function discover(url: string, fetchHead: SafeFetch): Promise<Discovered> {
  const fetchFn = countAnswers(fetchHead)
  const sdk = await import('@modelcontextprotocol/client')
  const challenge = await probe(sdk, url, fetchHead)
  const { resourceMetadataUrl } = challenge
  const found = await sdk
    .discoverOAuthServerInfo(url, {
      fetchFn,
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    })
    .catch((error: unknown) => {
      if (error instanceof AppError) throw error
      throw signInFailed('what its authorization server says of itself is not valid.', error)
    })
  const { authorizationServerMetadata: stated, resourceMetadata } = found
  if (!stated) throw signInFailed('it does not say where to sign in.')
  return {
    server: parseServer(stated),
    resource: resourceOf(sdk, url, resourceMetadata?.resource),
    scope: scopeOf([challenge.scope, resourceMetadata?.scopes_supported?.join(' ')], stated.scopes_supported),
  }
}

/** What the refusal of a request without a token says. Only its head is read. */
async function probe(
  { extractWWWAuthenticateParams }: Sdk,
  url: string,
  fetchFn: SafeFetch,
): Promise<Challenge> {
  try {
    const response = await fetchFn(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      redirect: 'manual',
    })
    await response.body?.cancel()
    return response.status === 401 ? extractWWWAuthenticateParams(response) : {}
  } catch (error) {
    throw signInFailed('the source could not be reached.', error)
  }
}

function parseServer(stated: object): AuthorizationServer {
  const { data: server, error } = AuthorizationServer.safeParse(stated)
  if (!server) {
    const field = error.issues[0]?.path[0]
    if (field === 'code_challenge_methods_supported') throw withoutPkce()
    throw signInFailed('what its authorization server says of itself is not valid.', error)
  }
  if (!server.code_challenge_methods_supported.includes('S256')) throw withoutPkce()
  if (!server.response_types_supported.includes('code')) {
    throw signInFailed('its authorization server gives no codes.')
  }
  // The owner's browser is sent there.
  const { protocol, hostname, username, password } = new URL(server.authorization_endpoint)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  if (!isSafe || username || password) throw signInFailed('its page for signing in is no https address.')
  return server
}

const withoutPkce = () => signInFailed('its authorization server does not support PKCE with S256.')

/** A source that names another resource than itself would get a token for that one. */
function resourceOf(
  { checkResourceAllowed, resourceUrlFromServerUrl }: Sdk,
  url: string,
  stated: string | undefined,
): string {
  const requestedResource = resourceUrlFromServerUrl(url)
  if (stated === undefined) return requestedResource.href
  const isOwn =
    URL.canParse(stated) && checkResourceAllowed({ requestedResource, configuredResource: stated })
  if (!isOwn) throw signInFailed('it says that its tokens are for another server.')
  return stated
}

function scopeOf(
  asked: readonly (string | undefined)[],
  supported: readonly string[] = [],
): string | undefined {
  const scope = asked.find((each) => each !== undefined && /^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(each))
  if (scope === undefined || scope.length > maxScopeLength) return undefined
  // Without it, some servers give no refresh token.
  const isMissing = supported.includes('offline_access') && !scope.split(' ').includes('offline_access')
  return isMissing ? `${scope} offline_access` : scope
}

type Wish = { redirectUri: string; scope: string | undefined; fetchFn: SafeFetch }

/** Registers Void at an authorization server (RFC 7591). Throws an `AppError` `source_failed` where it cannot. */
export async function register(
  server: AuthorizationServer,
  { redirectUri, scope, fetchFn }: Wish,
): Promise<OAuthClient> {
  if (!server.registration_endpoint) {
    throw signInFailed(
      `its authorization server does not let programs register themselves. Register Void there with the redirect URI ${redirectUri}, and enter the client ID at the source.`,
    )
  }
  const { registerClient } = await import('@modelcontextprotocol/client')
  const given = await registerClient(server.issuer, {
    metadata: server,
    clientMetadata: {
      client_name: 'Void',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: methodFor(server),
    },
    fetchFn: countAnswers(fetchFn),
    ...(scope === undefined ? {} : { scope }),
  }).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    throw signInFailed('its authorization server did not let Void register itself.', error)
  })
  const client = OAuthClient.safeParse({
    client_id: given.client_id,
    ...(given.client_secret ? { client_secret: given.client_secret } : {}),
    redirect_uri: redirectUri,
    registered: true,
  })
  if (client.success) return client.data
  throw signInFailed('the client ID that Void was given cannot be used.')
}

/** Without a secret where the server lets it: PKCE stands in for one. */
const methodFor = ({ token_endpoint_auth_methods_supported: supported = ['none'] }: AuthorizationServer) =>
  ['none', 'client_secret_post', 'client_secret_basic'].find((each) => supported.includes(each)) ?? 'none'

/** What ends when the owner signs in (again). */
export const signInNeeded = () =>
  new AppError('source_failed', 502, 'Sign-in required: connect it in Settings → Sources.', {
    details: { sign_in: true },
  })

export const isSignInNeeded = (error: unknown): error is AppError =>
  error instanceof AppError && error.details?.sign_in === true

export const signInFailed = (why: string, cause?: unknown) =>
  new AppError('source_failed', 502, `Signing in failed: ${why}`, { cause })
