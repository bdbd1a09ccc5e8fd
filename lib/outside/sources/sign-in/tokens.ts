// Tokens from an authorization server, by the functions of the SDK, and giving them back (RFC 7009).

import type { OAuthTokens } from '@modelcontextprotocol/client'
import type { SafeFetch } from '../../../core/net/safe-fetch.ts'
import { countAnswers, signInFailed } from './discover.ts'
import { type OAuthClient, type SignInRecord, Tokens } from './sign-in-record.ts'

type Server = Pick<SignInRecord, 'server' | 'resource'> & {
  /** With its secret, if it has one. */
  client: OAuthClient
  fetchFn: SafeFetch
  now: () => Date
}

type Code = { code: string; iss: string | undefined; code_verifier: string }

/** Throws what the SDK throws, for an answer to another issuer too (RFC 9207). */
export async function redeemCode(at: Server, { code, iss, code_verifier }: Code): Promise<Tokens> {
  const { server, client, resource, fetchFn } = at
  const { exchangeAuthorization } = await import('@modelcontextprotocol/client')
  const given = await exchangeAuthorization(server.issuer, {
    metadata: server,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier: code_verifier,
    redirectUri: client.redirect_uri,
    resource,
    fetchFn: countAnswers(fetchFn),
    ...(iss === undefined ? {} : { iss }),
  })
  return parseTokens(given, at.now())
}

/** Throws what the SDK throws: an `OAuthError` where the server refuses. */
export async function renewTokens(at: Server, refreshToken: string): Promise<Tokens> {
  const { server, client, resource, fetchFn } = at
  const { refreshAuthorization } = await import('@modelcontextprotocol/client')
  const given = await refreshAuthorization(server.issuer, {
    metadata: server,
    clientInformation: client,
    refreshToken,
    resource,
    fetchFn: countAnswers(fetchFn),
  })
  return parseTokens(given, at.now())
}

/** Tells the server that the tokens are no longer needed. Rejects when it cannot be told. */
export async function revokeTokens({ server, client, fetchFn }: Server, tokens: Tokens): Promise<void> {
  if (!server.revocation_endpoint) return
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client')
  const { client_id, client_secret } = client
  const methods = server.token_endpoint_auth_methods_supported ?? []
  const isBasic = selectClientAuthMethod({ client_id, client_secret }, methods) === 'client_secret_basic'
  for (const name of ['refresh_token', 'access_token'] as const) {
    const token = tokens[name]
    if (!token) continue
    const body = new URLSearchParams({ token, token_type_hint: name, client_id })
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
    if (client_secret && isBasic) {
      const pair = [client_id, client_secret].map(encodeURIComponent).join(':')
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    } else if (client_secret) body.set('client_secret', client_secret)
    await fetchFn(server.revocation_endpoint, { method: 'POST', headers, body })
  }
}

function parseTokens(given: OAuthTokens, now: Date): Tokens {
  const { access_token, refresh_token, expires_in, token_type } = given
  const isKnown = expires_in !== undefined && Number.isFinite(expires_in)
  const parsed = Tokens.safeParse({
    access_token,
    ...(refresh_token ? { refresh_token } : {}),
    expires_at: isKnown ? now.getTime() + Math.max(0, expires_in) * 1000 : null,
  })
  if (parsed.success && /^bearer$/i.test(token_type)) return parsed.data
  throw signInFailed('the authorization server gave no token that can be used.')
}
