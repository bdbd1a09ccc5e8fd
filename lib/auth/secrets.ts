import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret of 256 bits. `prefix` tells a person what it is. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

/** What is stored in place of a secret. The secrets are random and long, so a plain SHA-256 is enough. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('hex')

/** Whether two secrets are equal, in a time that does not tell where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(a), 'hex'), Buffer.from(hashSecret(b), 'hex'))
}
