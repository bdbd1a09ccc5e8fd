// Secrets in a file that a passphrase opens: what an export of them is.

import { randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { decrypt, encrypt } from './envelope.ts'

const base64 = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)

export const SealedSecrets = z
  .strictObject({
    format: z.literal('void-secrets-1').describe('scrypt (N 32768, r 8, p 1), then AES-256-GCM'),
    salt: base64(24).min(24),
    data: base64(48_000_000).min(40),
  })
  .describe('Secrets, sealed with a passphrase')
export type SealedSecrets = z.infer<typeof SealedSecrets>

/** What is sealed: the values by their names. */
const Values = z.record(z.string(), z.string())
type Values = z.infer<typeof Values>

export async function sealWithPassphrase(values: Values, passphrase: string): Promise<SealedSecrets> {
  const salt = randomBytes(16)
  const plain = Buffer.from(JSON.stringify(values), 'utf8')
  const data = encrypt(await deriveKey(passphrase, salt), plain, 'void secrets')
  return { format: 'void-secrets-1', salt: salt.toString('base64'), data: data.toString('base64') }
}

/** Throws a 400 `AppError` for another passphrase, or a file that was changed. */
export async function openWithPassphrase(file: SealedSecrets, passphrase: string): Promise<Values> {
  const key = await deriveKey(passphrase, Buffer.from(file.salt, 'base64'))
  try {
    const plain = decrypt(key, Buffer.from(file.data, 'base64'), 'void secrets')
    return Values.parse(JSON.parse(plain.toString('utf8')))
  } catch (cause) {
    throw invalid('The passphrase is wrong for this file.', { cause })
  }
}

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
