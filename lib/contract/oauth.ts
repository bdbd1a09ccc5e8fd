import { z } from 'zod'

/** What a program may be allowed: the tiers of an agent's token. */
export const oauthScopes = ['read', 'suggest'] as const
export type OAuthScope = (typeof oauthScopes)[number]

/** RFC 9728. */
export const ProtectedResourceMetadata = z.object({
  resource: z.url(),
  resource_name: z.string(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.enum(oauthScopes)),
  bearer_methods_supported: z.array(z.literal('header')),
})
export type ProtectedResourceMetadata = z.infer<typeof ProtectedResourceMetadata>

/** RFC 8414, with what RFC 9207 and the Client ID Metadata Documents add. */
export const AuthorizationServerMetadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
  revocation_endpoint: z.url(),
  scopes_supported: z.array(z.enum(oauthScopes)),
  response_types_supported: z.array(z.literal('code')),
  response_modes_supported: z.array(z.literal('query')),
  grant_types_supported: z.array(z.enum(['authorization_code', 'refresh_token'])),
  token_endpoint_auth_methods_supported: z.array(z.literal('none')),
  revocation_endpoint_auth_methods_supported: z.array(z.literal('none')),
  code_challenge_methods_supported: z.array(z.literal('S256')),
  authorization_response_iss_parameter_supported: z.literal(true),
  client_id_metadata_document_supported: z.literal(true),
})
export type AuthorizationServerMetadata = z.infer<typeof AuthorizationServerMetadata>

/** What a client is told of its registration (RFC 7591). It is public: there is no secret. */
export const RegisteredClient = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.url()),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])),
  response_types: z.array(z.literal('code')),
  response_modes: z.array(z.literal('query')),
  token_endpoint_auth_method: z.literal('none'),
  application_type: z.enum(['native', 'web']),
})
export type RegisteredClient = z.infer<typeof RegisteredClient>

/** An error as RFC 6749 and RFC 7591 have it. */
export const OAuthError = z.object({ error: z.string(), error_description: z.string() })

/** What the page shows on which the owner lets a program in, or not. */
export type ConsentForm = {
  /** Where the form goes. */
  action: string
  /** What the program calls itself; null when it gave no name. */
  name: string | null
  /** The host whose document describes the program; null: it registered itself, so its name is not verified. */
  publisher: string | null
  /** Where the answer goes: the host of an address, or this computer. */
  destination: { host: string; local: boolean }
  spaces: { id: string; name: string }[]
  /** Whether it asked to draft, too. */
  maySuggest: boolean
  /** Why the last answer was refused. */
  problem: string | null
}
