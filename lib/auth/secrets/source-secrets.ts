import type { Database, Queryable } from '../../db/pool.ts'
import { createSecretsRepo } from '../../db/repos/secrets.ts'
import type { Sealer } from './sealer.ts'

/** What is kept: how the owner signed in, a sign-in that is under way, and tokens of the settings. */
export type SourceSecret = 'sign-in' | 'open-sign-in' | 'settings'

export type SourceSecrets = {
  /** `null` when there is none, or it cannot be decrypted. */
  read(sourceId: string, what: SourceSecret): Promise<string | null>
  /** Stores nothing for a source that is gone. */
  write(sourceId: string, what: SourceSecret, value: string): Promise<void>
  /** Stores it, or removes it for `null`, in one transaction with `work`, unless that resolves to `null`. */
  writeWith<Result>(
    sourceId: string,
    what: SourceSecret,
    value: string | null,
    work: (db: Queryable) => Promise<Result | null>,
  ): Promise<Result | null>
  /** Whether it was this call that removed it, of several at once. */
  remove(sourceId: string, what: SourceSecret): Promise<boolean>
}

/** They go with their source. `inOrder`: one change at a time, so that none meets a rotation. */
export function createSourceSecrets(deps: {
  database: Database
  sealer: Pick<Sealer, 'open' | 'seal'>
  inOrder: <Result>(work: () => Promise<Result>) => Promise<Result>
  now: () => Date
}): SourceSecrets {
  const { database, sealer, inOrder, now } = deps
  const repo = createSecretsRepo(database)
  const seal = (sourceId: string, what: SourceSecret, value: string) =>
    sealer.seal(nameOf(sourceId, what), value)
  return {
    async read(sourceId, what) {
      const row = await repo.findOfSource(sourceId, nameOf(sourceId, what))
      return row && sealer.open(row)
    },
    write: (sourceId, what, value) =>
      inOrder(() => repo.putOfSource(sourceId, seal(sourceId, what, value), now())),
    writeWith: (sourceId, what, value, work) =>
      inOrder(() =>
        database.transaction(async (tx) => {
          const result = await work(tx)
          const repo = createSecretsRepo(tx)
          if (result === null) return null
          if (value === null) await repo.removeOfSource(sourceId, nameOf(sourceId, what))
          else await repo.putOfSource(sourceId, seal(sourceId, what, value), now())
          return result
        }),
      ),
    remove: (sourceId, what) => inOrder(() => repo.removeOfSource(sourceId, nameOf(sourceId, what))),
  }
}

/** None that a secret of the owner's can have. */
const nameOf = (sourceId: string, what: SourceSecret) => `source/${sourceId}/${what}`
