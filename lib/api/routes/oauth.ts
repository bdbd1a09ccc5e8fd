import { z } from 'zod'
import {
  authorizationServerMetadata,
  oauthUnavailable,
  protectedResourceMetadata,
  type Site,
  siteOf,
} from '../../auth/oauth/metadata.ts'
import {
  AuthorizationServerMetadata,
  OAuthError,
  ProtectedResourceMetadata,
  RegisteredClient,
} from '../../contract/auth.ts'
import { ErrorBody } from '../../contract/error.ts'
import { AppError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { type Call, route } from '../route.ts'

/** Where programs find out how to be connected. */
export const oauthRoutes = [
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'].map((path) =>
    route({
      method: 'get',
      path,
      access: 'public',
      summary: 'What protects /mcp: its authorization server and scopes (RFC 9728)',
      answers: { 200: ProtectedResourceMetadata },
      async handle(deps, { req }) {
        return { body: protectedResourceMetadata(requireSite(deps, req)) }
      },
    }),
  ),

  route({
    method: 'post',
    path: '/oauth/register',
    access: 'public',
    limit: { requests: 20, windowMs: 10 * 60_000 },
    summary: 'Register a public client (RFC 7591)',
    body: z.record(z.string(), z.unknown()),
    answers: { 201: RegisteredClient },
    refusal: z.union([OAuthError, ErrorBody]),
    async handle(deps, { req, res, body }) {
      requireSite(deps, req)
      try {
        return { status: 201, body: await deps.server.oauth.register(body) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { status, code, message } = error
        return { send: () => res.status(status).json({ error: code, error_description: message }) }
      }
    },
  }),

  route({
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    access: 'public',
    summary: 'The endpoints of the authorization server (RFC 8414)',
    answers: { 200: AuthorizationServerMetadata },
    async handle(deps, { req }) {
      return { body: authorizationServerMetadata(requireSite(deps, req)) }
    },
  }),
]

function requireSite(
  { server: { publicUrl } }: Deps,
  { headers }: Call<never, never, never, never>['req'],
): Site {
  const site = siteOf(publicUrl, headers.host)
  if (site) return site
  throw oauthUnavailable(404)
}
