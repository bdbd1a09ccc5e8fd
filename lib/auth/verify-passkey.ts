import { isIP } from 'node:net'
import { z } from 'zod'
import type { NewPasskey, Passkey, PasskeyAnswer } from '../contract/auth.ts'
import type { ErrorCode } from '../core/error-codes.ts'
import { AppError } from '../core/errors.ts'
import type { ChallengeUse, createPasskeysRepo, PasskeyRow } from '../db/repos/owner_sessions.ts'
import { hashSecret } from './owner-token.ts'

/** `takeChallenge` uses a challenge up; whether it was one that waits for this answer. */
type Expected = { party: RelyingParty; takeChallenge: (challenge: string) => Promise<boolean> }

/** 401, so that it counts as a guess. */
export const rejected = (code: ErrorCode, message: string) => new AppError(code, 401, message)

/** The counter of the passkey in this answer, which is to be compared with the stored one. Throws a 401 `AppError`. */
export async function verifyAnswer(
  answer: PasskeyAnswer,
  { row, ...expected }: Expected & { row: PasskeyRow | null },
): Promise<number> {
  const expectations = await expect(answer.client_data, expected)
  if (!row) throw rejected('unknown_passkey', 'This passkey was removed, or is not one of yours.')
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await trust(
    verifyAuthenticationResponse({
      ...expectations,
      response: {
        ...credentialOf(answer.id),
        response: {
          clientDataJSON: answer.client_data,
          authenticatorData: answer.authenticator_data,
          signature: answer.signature,
        },
      },
      // The stored counter is compared by the statement that replaces it: two answers at once cannot both pass.
      credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: 0 },
    }),
  )
  if (!verified) throw notVerified()
  return authenticationInfo.newCounter
}

/** What is stored of a passkey that was made. Throws a 401 `AppError`. */
export async function verifyCreation(
  { id, client_data, attestation, transports }: NewPasskey['credential'],
  expected: Expected,
): Promise<Pick<PasskeyRow, 'credential_id' | 'public_key' | 'transports'> & { counter: number }> {
  const expectations = await expect(client_data, expected)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  await trust(refuseAttestation(attestation))
  const { registrationInfo } = await trust(
    verifyRegistrationResponse({
      ...expectations,
      supportedAlgorithmIDs: algorithms,
      response: {
        ...credentialOf(id),
        response: { clientDataJSON: client_data, attestationObject: attestation },
      },
    }),
  )
  if (!registrationInfo) throw notVerified()
  const { credential } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports,
  }
}

/**
 * None is asked for. A browser may leave the one that a key makes of itself; the certificates of a vendor are not parsed,
 * and their lists of revocations not looked up.
 */
async function refuseAttestation(attestation: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await loadWebAuthnHelpers()
  const object = decodeAttestationObject(isoBase64URL.toBuffer(attestation))
  const ofItself = object.get('fmt') === 'packed' && object.get('attStmt').get('x5c') === undefined
  if (object.get('fmt') !== 'none' && !ofItself) throw new Error('unsupported vendor attestation')
}

async function expect(client_data: string, { party, takeChallenge }: Expected) {
  const client = readClientData(client_data)
  if (!client || !(await takeChallenge(client.challenge))) {
    throw rejected('challenge_expired', 'This took too long, or was used before. Start again.')
  }
  if (client.origin !== party.origin) {
    throw rejected(
      'wrong_origin',
      `The passkey was used at another address than ${party.origin}. Open Void there, or set PUBLIC_URL.`,
    )
  }
  return {
    expectedChallenge: client.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }
}

const clientData = z.object({ challenge: z.string(), origin: z.string() })

function readClientData(base64url: string): z.infer<typeof clientData> | null {
  try {
    return clientData.parse(JSON.parse(Buffer.from(base64url, 'base64url').toString()))
  } catch {
    return null
  }
}

/** The library throws for whatever is not as it should be. */
async function trust<Result>(verification: Promise<Result>): Promise<Result> {
  try {
    return await verification
  } catch (cause) {
    throw notVerified(cause)
  }
}

const notVerified = (cause?: unknown) =>
  new AppError('passkey_rejected', 401, 'The passkey could not be verified. Start again.', { cause })

const credentialOf = (id: string) =>
  ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const

export type Challenges = {
  store(challenge: string, use: ChallengeUse): Promise<void>
  /** Uses a challenge up; whether it waited for this. */
  take(challenge: string, use: ChallengeUse): Promise<boolean>
}

export type ChallengesDeps = {
  passkeys: ReturnType<typeof createPasskeysRepo>
  ownerToken: string
  now: () => Date
}

export const challengeMs = 5 * 60_000

/** Those of everybody who is signed in or has shown the first factor; a newer one takes the place of the oldest. */
const maxChallenges = 50

export function createChallenges({ passkeys, ownerToken, now }: ChallengesDeps): Challenges {
  const owner_token_hash = hashSecret(ownerToken)
  const waiting = (challenge: string, use: ChallengeUse) => ({
    challenge_hash: hashSecret(challenge),
    owner_token_hash,
    use,
    now: now(),
  })

  return {
    async store(challenge, use) {
      const expires_at = new Date(now().getTime() + challengeMs)
      await passkeys.insertChallenge({ ...waiting(challenge, use), expires_at }, maxChallenges)
    },

    take: (challenge, use) => passkeys.takeChallenge(waiting(challenge, use)),
  }
}

const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

type Transport = (typeof transportNames)[number]

/** What is told of a passkey. */
export const toPasskey = ({ id, name, host, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  host,
  created_at,
  last_used_at,
})

/** How a browser finds the device that has a passkey. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: transports.filter((name): name is Transport => transportNames.some((known) => known === name)),
})

/** The library, loaded with the first passkey that is made or asked for: it takes a quarter of a second and 26 MB. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256 (COSE): a signature of ML-DSA has more bytes than the body of somebody unknown may. */
export const algorithms = [-8, -7, -257]

const loadWebAuthnHelpers = () => import('@simplewebauthn/server/helpers')

/** For whom a passkey is made: it works at this host name alone. */
export type RelyingParty = { id: string; origin: string }

/** The relying party of an address; a 409 `AppError` for one that Web Authentication does not take. */
export function relyingPartyOf(address: string): RelyingParty {
  const { origin, hostname, protocol } = URL.canParse(address) ? new URL(address) : noAddress
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) {
    throw unavailable(
      'Passkeys need a host name, not an IP address. Open Void at localhost, or set PUBLIC_URL.',
    )
  }
  if (protocol !== 'https:' && hostname !== 'localhost') {
    throw unavailable(
      'Passkeys need HTTPS. Behind a proxy with TLS, set PUBLIC_URL to the address that you open.',
    )
  }
  return { id: hostname, origin }
}

const noAddress = { origin: '', hostname: '', protocol: '' }

export const unavailable = (message: string) => new AppError('passkey_unavailable', 409, message)
