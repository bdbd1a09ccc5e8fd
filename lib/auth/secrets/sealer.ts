// What is done with rows and the keys that open them.

import type { Secret } from '../../contract/auth.ts'
import { conflict, invalid } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createSecretsRepo, type SecretRow } from '../../db/repos/secrets.ts'
import { open, seal } from './envelope.ts'
import type { Keyring } from './master-key.ts'

type Named = { name: string; value: string; now: Date }

export type Sealer = {
  /** Throws `AppError`: 400 for a name or a value that cannot be one, 409 for one too many. */
  store(repo: ReturnType<typeof createSecretsRepo>, secret: Named): Promise<void>
  /** A value as it is stored, whatever its name. */
  seal(name: string, value: string): Pick<SecretRow, 'name' | 'master_id' | 'wrapped_key' | 'sealed'>
  /** The value; `null` when its master key is not here, or the row was changed. */
  open(row: SecretRow): string | null
  /** Names and values. Throws a 409 `AppError` that names those that cannot be opened. */
  openAll(rows: readonly SecretRow[]): [name: string, value: string][]
  describe(row: SecretRow): Secret
  /** Seals all with the next key, which is the present one from then on. Resolves to how many; throws as `openAll`. */
  rotate(database: Database): Promise<number>
}

/** What a secret may be called. */
export const secretName: RegExp = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/

const maxSecrets = 500
const maxValueBytes = 64_000

export function createSealer(keyring: Keyring, logger: Logger): Sealer {
  return {
    async store(repo, { name, value, now }) {
      check(name, value)
      if (await repo.put(sealRow(name, value), now, maxSecrets)) return
      throw conflict('too_many_secrets', `There are ${maxSecrets} secrets already. Delete one first.`)
    },

    seal: sealRow,
    open: openRow,
    openAll,

    describe(row) {
      const { name, created_at, updated_at, last_used_at } = row
      return { name, created_at, updated_at, last_used_at, readable: openRow(row) !== null }
    },

    async rotate(database) {
      const next = keyring.prepareNext()
      const count = await database.transaction(async (tx) => {
        const repo = createSecretsRepo(tx)
        const values = openAll(await repo.lockAll())
        for (const [name, value] of values) await repo.reseal({ name, ...seal(next, name, value) })
        return values.length
      })
      keyring.adoptNext()
      return count
    },
  }

  function sealRow(name: string, value: string) {
    return { name, ...seal(keyring.current(), name, value) }
  }

  function openRow(row: SecretRow): string | null {
    const master = keyring.find(row.master_id)
    if (!master) return null
    try {
      return open(master, row.name, row)
    } catch {
      logger.warn({ secret: row.name }, 'secret cannot be decrypted')
      return null
    }
  }

  function openAll(rows: readonly SecretRow[]): [string, string][] {
    const values = rows.map((row) => [row.name, openRow(row)] as const)
    const unreadable = values.filter(([, value]) => value === null).map(([name]) => name)
    if (unreadable.length > 0) throw unreadableSecrets(unreadable)
    return values.map(([name, value]) => [name, value!])
  }
}

const unreadableSecrets = (names: string[]) =>
  conflict(
    'secrets_unreadable',
    `These secrets cannot be decrypted, because their master key is missing or they were changed: ${names.join(', ')}. Restore the key, or delete them, then try again.`,
    { names },
  )

function check(name: string, value: string): void {
  if (!secretName.test(name)) {
    throw invalid(
      'A name is 1 to 100 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
    )
  }
  if (value.trim() === '') throw invalid('value: is empty. To remove a secret, delete it.')
  if (Buffer.byteLength(value) > maxValueBytes) {
    throw invalid(`value: is longer than ${maxValueBytes} bytes.`)
  }
}
