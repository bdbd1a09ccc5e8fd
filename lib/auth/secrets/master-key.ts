// The key that wraps the keys of all secrets: from the settings, or a file of the data folder that is made when there is
// none. A rotation of that file writes the next key beside it before a row is sealed with it, and puts it in place after
// all are: whenever the process dies, each row opens with one of the two.

import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { readOwnFile } from '../../core/system-error.ts'

export type MasterKey = { id: string; key: Buffer }

export type Keyring = {
  /** Seals. */
  current(): MasterKey
  /** The one with that id, also one that no longer seals; `null` when it is not here. */
  find(id: string): MasterKey | null
  /** The key that a rotation seals with: the present one where the settings name it, else a new one. */
  prepareNext(): MasterKey
  /** Makes the prepared key the present one. */
  adoptNext(): void
}

type KeySettings = {
  secretsKey: string | null
  secretsKeyFile: string | null
  /** Opens, and does not seal. */
  secretsKeyPrevious: string | null
}

/** Throws `AppError` `secrets_key` for a key that is none, `unreadable_file` for a file that cannot be read. */
export function loadKeyring(settings: KeySettings, dataFolder: string): Keyring {
  const { secretsKey, secretsKeyFile, secretsKeyPrevious } = settings
  const previous = secretsKeyPrevious === null ? [] : [parseKey(secretsKeyPrevious, 'SECRETS_KEY_PREVIOUS')]
  if (secretsKey !== null) return fixedKeyring(parseKey(secretsKey, 'SECRETS_KEY'), previous)
  if (secretsKeyFile !== null) {
    return fixedKeyring(
      parseKey(
        readOwnFile({ what: 'The key file', path: secretsKeyFile, setting: 'SECRETS_KEY_FILE' }),
        'SECRETS_KEY_FILE',
      ),
      previous,
    )
  }
  return folderKeyring(dataFolder, previous)
}

/** A key that nobody else has and that ends with the process. */
export const createTemporaryKeyring = (): Keyring => fixedKeyring(toMasterKey(randomBytes(32)), [])

function fixedKeyring(current: MasterKey, previous: readonly MasterKey[]): Keyring {
  return {
    current: () => current,
    find: (id) => [current, ...previous].find((one) => one.id === id) ?? null,
    prepareNext: () => current,
    adoptNext() {},
  }
}

function folderKeyring(folder: string, previous: readonly MasterKey[]): Keyring {
  const file = join(folder, 'secrets-key')
  const nextFile = `${file}.next`
  let current = loadOrCreate(file)
  let next = existsSync(nextFile) ? loadOrCreate(nextFile) : null
  const former: MasterKey[] = []

  return {
    current: () => current,
    find: (id) =>
      [current, ...(next ? [next] : []), ...former, ...previous].find((one) => one.id === id) ?? null,
    prepareNext() {
      next ??= loadOrCreate(nextFile)
      return next
    },
    adoptNext() {
      if (!next) return
      renameSync(nextFile, file)
      former.push(current)
      current = next
      next = null
    },
  }
}

function loadOrCreate(file: string): MasterKey {
  if (existsSync(file)) return parseKey(readOwnFile({ what: 'The key file', path: file }), file)
  const key = randomBytes(32)
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, `${key.toString('base64')}\n`)
    // Rows sealed with a key that a power cut took would be lost.
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return toMasterKey(key)
}

function parseKey(text: string, from: string): MasterKey {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : fromBase64(trimmed)
  if (key.length === 32 && new Set(key).size > 8) return toMasterKey(key)
  const message = `${from} is not a key: it has to be 32 random bytes in base64, as \`openssl rand -base64 32\` prints.`
  throw new AppError('secrets_key', 500, message)
}

/** Node's own decoder passes over what is not base64. */
const fromBase64 = (text: string): Buffer =>
  Buffer.from(/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? text : '', 'base64')

const toMasterKey = (key: Buffer): MasterKey => ({
  id: createHmac('sha256', key).update('void master key').digest('hex').slice(0, 16),
  key,
})
