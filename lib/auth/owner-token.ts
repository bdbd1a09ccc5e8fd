import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret } from './secrets.ts'

/** The owner token kept in a data folder (file `owner-token`, mode 600); made when there is none. */
export function loadOrCreateOwnerToken(folder: string): string {
  return readOwnerToken(folder) ?? makeOwnerToken(folder)
}

/** The owner token of a data folder; `null` when it has none. */
export function readOwnerToken(folder: string): string | null {
  const file = join(folder, 'owner-token')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

function makeOwnerToken(folder: string): string {
  const token = newSecret('owner')
  writeFileSync(join(folder, 'owner-token'), `${token}\n`, { mode: 0o600 })
  return token
}
