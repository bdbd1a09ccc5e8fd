// A device with passkeys, in software: it makes ES256 keys and signs what a browser would hand it. Attestation "none".

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyAnswer } from '../../lib/contract/auth.ts'

export type SoftwareKey = {
  id: string
  /** What the device answers to `POST /api/passkeys/options`. */
  create(options: { challenge: string; rp: { id: string } }): NewPasskey['credential']
  /** What it answers when it is asked to confirm; the counter goes up with each. */
  answer(options: { challenge: string; rpId: string }): PasskeyAnswer
}

export type KeyOptions = {
  /** Where the browser believes to be. */
  origin: string
  /** 0 for good when false: the device does not count. */
  counts?: boolean
  /** Starts here: a copy of another device continues from where that one was copied. */
  counter?: number
  /** Of another device, to make a copy of it. */
  copyOf?: SoftwareKey
}

type Secret = { privateKey: KeyObject; publicKey: KeyObject; credentialId: Buffer }

const secrets = new WeakMap<SoftwareKey, Secret>()

export function makeSoftwareKey({ origin, counts = true, counter = 0, copyOf }: KeyOptions): SoftwareKey {
  const secret: Secret = (copyOf && secrets.get(copyOf)) ?? {
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    credentialId: randomBytes(16),
  }
  const id = secret.credentialId.toString('base64url')
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, flags: number, more = Buffer.alloc(0)) => {
    if (counts) counter += 1
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, more])
  }

  const key: SoftwareKey = {
    id,

    create({ challenge, rp }) {
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(secret.credentialId.length)
      const credential = Buffer.concat([
        Buffer.alloc(16),
        idLength,
        secret.credentialId,
        coseKey(secret.publicKey),
      ])
      const data = authenticatorData(rp.id, userPresent | hasCredential, credential)
      return {
        id,
        client_data: clientData('webauthn.create', challenge).toString('base64url'),
        attestation: attestationOf(data).toString('base64url'),
        transports: ['internal'],
      }
    },

    answer({ challenge, rpId }) {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(rpId, userPresent)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id,
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', signed, secret.privateKey).toString('base64url'),
      }
    },
  }
  secrets.set(key, secret)
  return key
}

const userPresent = 0x01
const hasCredential = 0x40

/** The public key as a CBOR map: kty EC2, alg ES256, crv P-256, x, y (RFC 9052). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string | undefined) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(String(text), 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ])
}

/** `{ fmt: "none", attStmt: {}, authData }` in CBOR. */
function attestationOf(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ])
}
