// Web Authentication in this browser. What fails is an `ApiError`, whose message can be shown as it is.
//
// The answer is read field by field: password managers that answer in place of the browser have no `toJSON` that works
// (https://github.com/dotnet/aspnetcore/issues/62916).

import type { NewPasskey, PasskeyAnswer, PasskeyRequestOptions } from '../../../lib/contract/auth.ts'
import { ApiError, createApi } from '../../app/api/api.ts'

/** Why this page can use no passkey; `null` when it can. */
export function passkeyProblem(): string | null {
  const { hostname, port } = location
  if (/^[\d.]+$|^\[/.test(hostname)) {
    return `Passkeys need a host name, and ${hostname} is an IP address. On the server’s own machine, open http://localhost${port && `:${port}`} instead; elsewhere give Void a name, in the configuration of the server.`
  }
  if (!isSecureContext) return 'Passkeys need HTTPS.'
  if (
    typeof PublicKeyCredential === 'undefined' ||
    !('parseCreationOptionsFromJSON' in PublicKeyCredential)
  ) {
    return 'This browser is too old for passkeys. Update it, or use another one.'
  }
  return null
}

/** Has the device make a passkey. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<NewPasskey['credential']> {
  const publicKey = () => PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await ask(String(options.rp.id), () =>
    navigator.credentials.create({ publicKey: publicKey() }),
  )
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: made.id,
    client_data: toBase64url(response.clientDataJSON),
    attestation: toBase64url(response.attestationObject),
    transports: response.getTransports(),
  }
}

/** Has the device answer with a passkey. */
export async function askPasskey(options: PasskeyRequestOptions): Promise<PasskeyAnswer> {
  const publicKey = () => PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await ask(options.rpId, () => navigator.credentials.get({ publicKey: publicKey() }))
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    id: credential.id,
    client_data: toBase64url(response.clientDataJSON),
    authenticator_data: toBase64url(response.authenticatorData),
    signature: toBase64url(response.signature),
  }
}

async function ask(host: string, run: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const problem = passkeyProblem()
  if (problem) throw new ApiError(0, 'passkey', problem)
  const credential = await run().catch((error: unknown) => {
    throw new ApiError(0, 'passkey', reasonOf(error, host))
  })
  if (credential instanceof PublicKeyCredential) return credential
  throw new ApiError(0, 'passkey', 'No passkey was received. Try again.')
}

function toBase64url(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function reasonOf(error: unknown, host: string): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'Canceled, or this device has no passkey for Void. Try again.'
    case 'InvalidStateError':
      return 'This device already has a passkey for Void.'
    case 'SecurityError':
      return `Passkeys work at ${host} only. Open Void there.`
    default:
      return 'The device could not use a passkey. Try again.'
  }
}

/** Answers what a sign-in asked for. Rejects with an `ApiError`. */
export async function finishSignIn(passkey: PasskeyRequestOptions): Promise<void> {
  await createApi().post('/api/session/passkey', await askPasskey(passkey))
}
