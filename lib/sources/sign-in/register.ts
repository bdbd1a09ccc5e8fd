import { AppError } from '../../errors.ts'
import type { OutgoingFetch } from './outgoing-fetch.ts'
import { signInFailed } from './sign-in-errors.ts'
import { type AuthorizationServer, OAuthClient } from './sign-in-record.ts'

type Wish = { redirectUri: string; scope: string | undefined; fetchFn: OutgoingFetch }

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
    fetchFn,
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
