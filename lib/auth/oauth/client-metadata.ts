// What a program says of itself, in a registration (RFC 7591) or in its own document. Only what is listed here is taken
// over; nothing in it makes this server fetch, show or trust anything more.

import { z } from 'zod'
import type { RegisteredClient } from '../../contract/auth.ts'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../../core/net/addresses.ts'
import { parseUntrusted } from '../../core/parse-untrusted.ts'
import { cleanLine } from '../../core/text/clean.ts'

export type ClientMetadata = Omit<RegisteredClient, 'client_id' | 'client_id_issued_at'>

/**
 * Addresses that an app has registered at the system instead of the web. Any program could register the same: PKCE keeps a
 * code useless to it. Of schemes that are one word, only what the maker of a program documents; Cursor's is
 * https://cursor.com/docs/context/mcp#static-oauth-for-remote-servers
 */
const appUris: ReadonlySet<string> = new Set(['cursor://anysphere.cursor-mcp/oauth/callback'])

/** Apps that hand what comes under their scheme to their own extensions or windows, and to nothing else. */
const appSchemes: ReadonlySet<string> = new Set(['vscode', 'vscode-insiders', 'claude'])

/** A name of the maker's own, written in reverse (RFC 8252, 7.1): `com.example.app`. */
const reverseDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/

/** A scheme with a host, a path or both, and nothing that could be more than an address. */
const appAddress = /^([a-z][a-z0-9.-]*):(?:\/\/[a-z0-9][a-z0-9.-]*)?\/[\w.~/-]*$/

function isAppUri(uri: string): boolean {
  if (appUris.has(uri)) return true
  const scheme = appAddress.exec(uri)?.[1]
  return scheme !== undefined && (reverseDomain.test(scheme) || appSchemes.has(scheme))
}

const maxUriLength = 500
const maxNameLength = 80

const stated = z.object({
  client_name: z.string().max(10_000).optional().catch(undefined),
  redirect_uris: z.array(z.string().max(maxUriLength)).min(1).max(10),
  grant_types: z.array(z.string().max(100)).max(20).default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.string().max(100)).max(20).default(['code']),
})

/**
 * The metadata of a public client. Throws `AppError`: `invalid_redirect_uri` for an address that a code must not be
 * sent to, `invalid_client_metadata` for anything else.
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  const parsed = parseUntrusted(stated, value)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path[0]
    if (path === 'redirect_uris')
      throw invalidRedirect('redirect_uris must be a list of 1 to 10 addresses of at most 500 characters')
    throw invalidMetadata(`${String(path ?? 'the metadata')} is not valid`)
  }
  const { redirect_uris, grant_types, response_types } = parsed.data
  const client_name = cleanLine(parsed.data.client_name ?? '')
    .slice(0, maxNameLength)
    .toWellFormed()
  for (const uri of redirect_uris) checkRedirectUri(uri)
  if (!grant_types.includes('authorization_code') || !response_types.includes('code'))
    throw invalidMetadata('Void supports the grant type authorization_code with the response type code')
  return {
    ...(client_name ? { client_name } : {}),
    redirect_uris,
    grant_types: grant_types.includes('refresh_token')
      ? ['authorization_code', 'refresh_token']
      : ['authorization_code'],
    response_types: ['code'],
    response_modes: ['query'],
    // Whoever runs on other people's machines keeps no secret; PKCE stands in for one.
    token_endpoint_auth_method: 'none',
    application_type: redirect_uris.some((uri) => isAppUri(uri) || isLoopbackUri(uri)) ? 'native' : 'web',
  }
}

/**
 * Throws `invalid_redirect_uri` unless a code may be sent there: over TLS, or to a program on the same machine, at a port of
 * its own or as a known app.
 */
function checkRedirectUri(uri: string): void {
  if (isAppUri(uri)) return
  if (!URL.canParse(uri)) throw invalidRedirect('a redirect URI is not an address')
  const { protocol, hostname, username, password, hash } = new URL(uri)
  if (username || password || hash || uri.includes('#'))
    throw invalidRedirect('a redirect URI must have no user name and no fragment')
  const allowed = protocol === 'https:' ? !isLoopback(hostname) : protocol === 'http:' && isLoopback(hostname)
  if (!allowed)
    throw invalidRedirect(
      'a redirect URI must be https, http to localhost, 127.0.0.1 or [::1], or that of an app: a scheme such as com.example.app:/callback',
    )
}

const isLoopbackUri = (uri: string) => isLoopback(new URL(uri).hostname)

const invalidRedirect = (why: string) => new AppError('invalid_redirect_uri', 400, `${why}.`)
const invalidMetadata = (why: string) => new AppError('invalid_client_metadata', 400, `${why}.`)
