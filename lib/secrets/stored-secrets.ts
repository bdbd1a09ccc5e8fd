// The rows, sealed, in memory: what cannot wait (which model answers) is resolved without a query. A value is opened at
// use, and its use noted.

import type { createSecretsRepo, SecretRow } from '../db/repos/secrets.ts'
import type { Logger } from '../logger.ts'
import type { Sealer } from './sealer.ts'

export type StoredSecrets = {
  load(): Promise<void>
  loadOne(name: string): Promise<void>
  /** The value; `null` when there is none, or it cannot be decrypted. */
  peek(name: string): string | null
}

const noteUseEveryMs = 60_000

export function createStoredSecrets(deps: {
  repo: ReturnType<typeof createSecretsRepo>
  sealer: Pick<Sealer, 'open'>
  logger: Logger
  now: () => Date
}): StoredSecrets {
  const { repo, sealer, logger, now } = deps
  const noted = new Map<string, number>()
  let rows = new Map<string, SecretRow>()

  return {
    async load() {
      rows = new Map((await repo.list()).map((row) => [row.name, row]))
    },

    async loadOne(name) {
      const row = await repo.find(name)
      if (row) rows.set(name, row)
      else rows.delete(name)
    },

    peek(name) {
      const row = rows.get(name)
      const value = row ? sealer.open(row) : null
      if (value !== null) noteUse(name)
      return value
    },
  }

  function noteUse(name: string): void {
    const at = now()
    if (at.getTime() - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < noteUseEveryMs) return
    noted.set(name, at.getTime())
    repo
      .noteUse(name, at)
      .catch((error: unknown) => logger.warn({ err: error }, 'use of a secret not stored'))
  }
}
