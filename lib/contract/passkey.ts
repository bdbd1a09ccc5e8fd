// Passkeys, and what a browser sends to add and to use one. What is binary is base64url, as in the JSON forms of Web
// Authentication, level 3.

import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { id, time } from './scalars.ts'

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
