// A secret at rest. Each has a random key of its own, which the master key wraps; both with AES-256-GCM, and both bound
// to the name, so that what was sealed for one name does not open under another.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { MasterKey } from './master-key.ts'

export type Sealed = { master_id: string; wrapped_key: Buffer; sealed: Buffer }

const ivBytes = 12
const tagBytes = 16

export function seal(master: MasterKey, name: string, value: string): Sealed {
  const key = randomBytes(32)
  return {
    master_id: master.id,
    wrapped_key: encrypt(master.key, key, `void key ${name}`),
    sealed: encrypt(key, Buffer.from(value, 'utf8'), `void secret ${name}`),
  }
}

/** The value. Throws for another master key, another name, and bytes that were changed. */
export function open(master: MasterKey, name: string, { wrapped_key, sealed }: Sealed): string {
  const key = decrypt(master.key, wrapped_key, `void key ${name}`)
  return decrypt(key, sealed, `void secret ${name}`).toString('utf8')
}

/** The iv, what was encrypted, and the tag, in one piece. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Throws when the key or the context is another one, or a byte was changed. */
export function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer {
  const iv = bytes.subarray(0, ivBytes)
  const tag = bytes.subarray(-tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
}
