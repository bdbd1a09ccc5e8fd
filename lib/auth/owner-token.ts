import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnFile } from '../core/system-error.ts'

/** The owner token kept in a data folder (file `owner-token`, mode 600); made when there is none. */
export function loadOrCreateOwnerToken(folder: string): string {
  return readOwnerToken(folder) ?? makeOwnerToken(folder)
}

/** The owner token of a data folder; `null` when it has none. */
export function readOwnerToken(folder: string): string | null {
  const file = join(folder, 'owner-token')
  return existsSync(file) ? readOwnFile({ what: 'The owner token', path: file }).trim() || null : null
}

function makeOwnerToken(folder: string): string {
  const token = newSecret('owner')
  writeFileSync(join(folder, 'owner-token'), `${token}\n`, { mode: 0o600 })
  return token
}

/** A new secret of 256 bits. `prefix` tells a person what it is. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

/** What is stored in place of a secret. The secrets are random and long, so a plain SHA-256 is enough. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('hex')

/** Whether two secrets are equal, in a time that does not tell where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(a), 'hex'), Buffer.from(hashSecret(b), 'hex'))
}
