import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { id, time } from './scalars.ts'

/** A signed-in browser. */
export const OwnerSession = z.object({
  id,
  device: z.string().describe('Browser and operating system, from the User-Agent; empty if unknown'),
  created_at: time,
  last_used_at: time.describe('Time of last use, to the minute'),
  expires_at: time,
  current: z.boolean().describe('`true` for the session that makes this request'),
})

export type OwnerSession = z.infer<typeof OwnerSession>

/** A single-use code that signs in one browser. */
export const SignInCode = z.object({ code: z.string(), url: z.url(), expires_at: time })

// Passkeys and the requests that add and use them. Binary values are base64url, as in the JSON forms of Web
// Authentication, level 3.

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max)

export const Passkey = z.object({
  id,
  name: z.string(),
  host: z.string().describe('Host name that the passkey is valid for'),
  created_at: time,
  last_used_at: time.nullable(),
})

export type Passkey = z.infer<typeof Passkey>

/** A device's response to a passkey challenge. */
export const PasskeyAnswer = z.strictObject({
  id: base64url(1400),
  client_data: base64url(1400),
  authenticator_data: base64url(1000),
  signature: base64url(1000),
})

export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** A device's response after it created a passkey. */
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

/** Confirmation of a session: a passkey response or, if there are no passkeys, the owner token or a one-time code. */
export const SecretOrPasskey = z.union([
  z.strictObject({ token: z.string().min(1).max(500) }),
  z.strictObject({ passkey: PasskeyAnswer }),
])

export type SecretOrPasskey = z.infer<typeof SecretOrPasskey>

export const PasskeyCreationOptions = z
  .looseObject({ challenge: z.string(), rp: z.object({ id: z.string(), name: z.string() }) })
  .describe('Web Authentication `PublicKeyCredentialCreationOptionsJSON`')

export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>

export const PasskeyRequestOptions = z
  .looseObject({ challenge: z.string(), rpId: z.string() })
  .describe('Web Authentication `PublicKeyCredentialRequestOptionsJSON`')

export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

/** Means of confirming a session. */
export const Confirmation = z.object({
  passkey: PasskeyRequestOptions.nullable().describe(
    'Passkey request options; null: confirm with the owner’s token or a one-time code',
  ),
})

export type Confirmation = z.infer<typeof Confirmation>

/** OAuth scopes. They match the tiers of an agent token. */
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

/** RFC 8414, with the additions of RFC 9207 and Client ID Metadata Documents. */
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

/** Client registration response (RFC 7591). Clients are public: there is no secret. */
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

/** An error in the format of RFC 6749 and RFC 7591. */
export const OAuthError = z.object({ error: z.string(), error_description: z.string() })

/** Content of the OAuth consent page. */
export type ConsentForm = {
  /** Form action URL. */
  action: string
  /** The client's own name; null if it gave none. */
  name: string | null
  /** Host of the client metadata document; null: dynamically registered, so the name is not verified. */
  publisher: string | null
  /** Redirect target: a host, or this computer. */
  destination: { host: string; local: boolean }
  spaces: { id: string; name: string }[]
  /** `true` if the client also requested the `suggest` scope. */
  maySuggest: boolean
  /** Reason the previous submission was rejected. */
  problem: string | null
}

/** A secret in a list. Its value is never returned. */
export const Secret = z.object({
  name: z.string(),
  created_at: time,
  updated_at: time,
  last_used_at: time.nullable(),
  readable: z.boolean().describe('`true` if the master key that encrypted it is configured'),
})

export type Secret = z.infer<typeof Secret>

export const TimeZone = z.object({
  time_zone: z.string().describe('IANA name, such as Europe/Berlin'),
  set_by: z
    .enum(['server', 'browser', 'owner'])
    .describe('server: TZ, until a browser reports one; browser: reported; owner: chosen in Settings'),
})

export type TimeZone = z.infer<typeof TimeZone>
