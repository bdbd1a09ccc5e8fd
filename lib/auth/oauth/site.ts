import { AppError } from '../../core/errors.ts'

/** Where this server is, for a client: who issues tokens, and what they are for. */
export type Site = {
  /** The authorization server: an origin. */
  issuer: string
  /** The protected resource: the address of the MCP server. */
  resource: string
}

/**
 * The site of a request. With a public address that is it, whatever the request says; without one it is the loopback
 * name that the request came to, which tells nothing that its sender does not know. Null where there is no OAuth: another
 * name, or a public address without TLS or below a path.
 */
export function siteOf(publicUrl: string | null, host: string | undefined): Site | null {
  const origin = publicUrl === null ? loopbackOrigin(host) : publicOrigin(publicUrl)
  return origin === null ? null : { issuer: origin, resource: `${origin}/mcp` }
}

function publicOrigin(publicUrl: string): string | null {
  const { protocol, hostname, origin, pathname } = new URL(publicUrl)
  if (pathname !== '/') return null
  return protocol === 'https:' || isLoopback(hostname) ? origin : null
}

function loopbackOrigin(host = ''): string | null {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).origin
    : null
}

/** Whether a host name, as `URL` writes it, is this machine. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/** Where there is no site. `status`: of an address that is not there, or of a request that cannot be done. */
export const oauthUnavailable = (status: 400 | 404) =>
  new AppError('oauth_unavailable', status, 'OAuth needs PUBLIC_URL to be the https address of this server.')
