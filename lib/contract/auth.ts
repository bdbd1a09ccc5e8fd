import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { id, time } from './scalars.ts'

/** A browser that is signed in. */
export const OwnerSession = z.object({
  id,
  device: z.string().describe('Browser and system, as the browser names them; empty when it names none'),
  created_at: time,
  last_used_at: time.describe('To the minute'),
  expires_at: time,
  current: z.boolean().describe('Whether it is the one that asks'),
})

export type OwnerSession = z.infer<typeof OwnerSession>

/** What signs one browser in, once. */
export const SignInCode = z.object({ code: z.string(), url: z.url(), expires_at: time })

// Passkeys, and what a browser sends to add and to use one. What is binary is base64url, as in the JSON forms of Web
// Authentication, level 3.

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max)

export const Passkey = z.object({
  id,
  name: z.string(),
  host: z.string().describe('The host name that it works at'),
  created_at: time,
  last_used_at: time.nullable(),
})

export type Passkey = z.infer<typeof Passkey>

/** What a device that has a passkey answers to a challenge. */
export const PasskeyAnswer = z.strictObject({
  id: base64url(1400),
  client_data: base64url(1400),
  authenticator_data: base64url(1000),
  signature: base64url(1000),
})

export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** What a device answers that has made a passkey. */
export const NewPasskey = z.strictObject({
  name: z.string().overwrite(cleanLine).min(1).max(80),
  credential: z.strictObject({
    id: base64url(1400),
    client_data: base64url(1400),
    attestation: base64url(10_000),
    transports: z
      .array(
        z
          .string()
          .regex(/^[a-z-]+$/)
          .max(32),
      )
      .max(10),
  }),
})

export type NewPasskey = z.infer<typeof NewPasskey>

/** Bounded, so that it fits into what anybody may send. */
export const SecretOrPasskey = z.union([
  z.strictObject({ token: z.string().min(1).max(500) }),
  z.strictObject({ passkey: PasskeyAnswer }),
])

export type SecretOrPasskey = z.infer<typeof SecretOrPasskey>

export const PasskeyCreationOptions = z
  .looseObject({ challenge: z.string(), rp: z.object({ id: z.string(), name: z.string() }) })
  .describe('PublicKeyCredentialCreationOptionsJSON of Web Authentication')

export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>

export const PasskeyRequestOptions = z
  .looseObject({ challenge: z.string(), rpId: z.string() })
  .describe('PublicKeyCredentialRequestOptionsJSON of Web Authentication')

export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

/** How a session is confirmed. */
export const Confirmation = z.object({
  passkey: PasskeyRequestOptions.nullable().describe('Null: by the owner’s token or a one-time code'),
})

export type Confirmation = z.infer<typeof Confirmation>

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

/** A secret as it is listed: its value is never shown. */
export const Secret = z.object({
  name: z.string(),
  created_at: time,
  updated_at: time,
  last_used_at: time.nullable(),
  readable: z.boolean().describe('Whether the master key that it was sealed with is here'),
})

export type Secret = z.infer<typeof Secret>
