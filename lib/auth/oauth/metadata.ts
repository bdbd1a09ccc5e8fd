import {
  type AuthorizationServerMetadata,
  oauthScopes,
  type ProtectedResourceMetadata,
} from '../../contract/auth.ts'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../../core/net/addresses.ts'
import { basePathOf } from '../../core/net/public-url.ts'

/** Where the endpoints of the authorization server are. */
export const oauthPath = '/oauth'

/** The page on which the owner decides, one for each request. */
export const consentPath = '/connect'

export const endpoints = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
} as const

export const protectedResourceMetadata = ({ issuer, resource }: Site): ProtectedResourceMetadata => ({
  resource,
  resource_name: 'Void',
  authorization_servers: [issuer],
  scopes_supported: [...oauthScopes],
  bearer_methods_supported: ['header'],
})

export const authorizationServerMetadata = ({ issuer }: Site): AuthorizationServerMetadata => {
  const at = (path: string) => `${issuer}${oauthPath}${path}`
  return {
    issuer,
    authorization_endpoint: at(endpoints.authorization),
    token_endpoint: at(endpoints.token),
    registration_endpoint: at(endpoints.registration),
    revocation_endpoint: at(endpoints.revocation),
    scopes_supported: [...oauthScopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}

/**
 * The `WWW-Authenticate` header of a refusal at the resource (RFC 9728, 5.1). `error`: what is wrong with the token sent;
 * one of too small a scope is told which to ask for (RFC 6750, 3.1).
 */
export function challenge({ resource }: Site, error?: 'invalid_token' | 'insufficient_scope'): string {
  const parameters = {
    ...(error ? { error } : {}),
    resource_metadata: metadataAddress(resource),
    scope: oauthScopes.join(' '),
  }
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${list.join(', ')}`
}

/** Where the metadata of a resource are: between its host and its path (RFC 9728, 3.1). */
function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/** Where this server is, for a client: who issues tokens, and what they are for. */
export type Site = {
  /** The authorization server: an origin, with the path that Void is below. */
  issuer: string
  /** The protected resource: the address of the MCP server. */
  resource: string
}

/**
 * The site of a request. With a public address that is it, whatever the request says; without one it is the loopback
 * name that the request came to, which tells nothing that its sender does not know. Null where there is no OAuth: another
 * name, or a public address without TLS.
 */
export function siteOf(publicUrl: string | null, host: string | undefined): Site | null {
  const issuer = publicUrl === null ? loopbackOrigin(host) : publicIssuer(publicUrl)
  return issuer === null ? null : { issuer, resource: `${issuer}/mcp` }
}

function publicIssuer(publicUrl: string): string | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname) ? origin + basePathOf(publicUrl) : null
}

function loopbackOrigin(host = ''): string | null {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).origin
    : null
}

/** Where there is no site. `status`: of an address that is not there, or of a request that cannot be done. */
export const oauthUnavailable = (status: 400 | 404) =>
  new AppError('oauth_unavailable', status, 'OAuth needs PUBLIC_URL to be the https address of this server.')
