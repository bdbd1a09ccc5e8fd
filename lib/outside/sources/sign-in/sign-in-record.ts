// What is stored, sealed, of the owner's sign-in to a source.

import { z } from 'zod'
import type { SourceSecret, SourceSecrets } from '../../../auth/secrets/source-secrets.ts'
import type { Scrubber } from '../../../core/scrubber.ts'

const address = z.url({ protocol: /^https?$/ }).max(2000)

const names = z.array(z.string().max(200)).max(100)

/** What Void uses of an authorization server's metadata (RFC 8414). */
export const AuthorizationServer = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  registration_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  response_types_supported: names,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})

export type AuthorizationServer = z.infer<typeof AuthorizationServer>

/** What an authorization server knows Void by. */
export const OAuthClient = z.object({
  client_id: z.string().min(1).max(2000),
  client_secret: z.string().max(8000).optional(),
  redirect_uri: address,
  /** Whether Void registered itself; else the owner did. */
  registered: z.boolean(),
})

export type OAuthClient = z.infer<typeof OAuthClient>

/** A token as a header can hold it. */
const token = z.string().regex(/^[\x21-\x7e]{1,16000}$/)

export const Tokens = z.object({
  access_token: token,
  refresh_token: token.optional(),
  /** Milliseconds since 1970; null: the server did not say. */
  expires_at: z.number().nullable(),
})

export type Tokens = z.infer<typeof Tokens>

export const SignInRecord = z.object({
  server: AuthorizationServer,
  client: OAuthClient,
  resource: z.string().max(2000),
  tokens: Tokens,
})

export type SignInRecord = z.infer<typeof SignInRecord>

/** A sign-in that the owner has begun and not come back from. */
export const OpenSignIn = SignInRecord.omit({ tokens: true }).extend({
  code_verifier: z.string(),
  /** Of the state that the browser comes back with. */
  state_sha256: z.string(),
  /** The browser session that it was begun in; null: with the owner's token. */
  session_id: z.string().nullable(),
  /** Milliseconds since 1970. */
  ends_at: z.number(),
})

export type OpenSignIn = z.infer<typeof OpenSignIn>

/** What is stored of sign-ins, by source. `null` when there is none, or it cannot be decrypted. */
export function createSignInRecords(secrets: SourceSecrets, scrubber: Pick<Scrubber, 'add'>) {
  return {
    find: (sourceId: string) => read(sourceId, 'sign-in', SignInRecord),
    save(sourceId: string, record: SignInRecord) {
      inUse(sourceId, record)
      return secrets.write(sourceId, 'sign-in', JSON.stringify(record))
    },
    remove: (sourceId: string) => secrets.remove(sourceId, 'sign-in'),

    findOpen: (sourceId: string) => read(sourceId, 'open-sign-in', OpenSignIn),
    /** In place of the one that was begun before. */
    saveOpen(sourceId: string, open: OpenSignIn) {
      inUse(sourceId, open)
      return secrets.write(sourceId, 'open-sign-in', JSON.stringify(open))
    },
    /** Whether it was this call that removed it, of several at once. */
    removeOpen: (sourceId: string) => secrets.remove(sourceId, 'open-sign-in'),
  }

  async function read<Record extends SignInRecord | OpenSignIn>(
    sourceId: string,
    what: SourceSecret,
    schema: z.ZodType<Record>,
  ): Promise<Record | null> {
    const text = await secrets.read(sourceId, what)
    if (text === null) return null
    const record = schema.parse(JSON.parse(text))
    inUse(sourceId, record)
    return record
  }

  /** Of errors on the way, too: a server may repeat what it was given. */
  function inUse(sourceId: string, { client, ...rest }: SignInRecord | OpenSignIn): void {
    const { access_token, refresh_token } = 'tokens' in rest ? rest.tokens : {}
    const verifier = 'code_verifier' in rest ? rest.code_verifier : undefined
    for (const [name, secret] of Object.entries({ access_token, refresh_token, verifier }))
      if (secret) scrubber.add(secret, `source:${sourceId}:${name}`)
    if (client.client_secret) scrubber.add(client.client_secret, `source:${sourceId}:client`)
  }
}

export type SignInRecords = ReturnType<typeof createSignInRecords>
