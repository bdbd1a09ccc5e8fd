// The owner's secrets, and the one way in which a setting that refers to one is resolved.

import { parseSpec, processDeps, resolveSecret } from '../ai/secret.ts'
import type { Secret } from '../contract/secrets.ts'
import type { Database } from '../db/pool.ts'
import { createSecretsRepo } from '../db/repos/secrets.ts'
import { notFound } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Keyring } from './master-key.ts'
import { openWithPassphrase, type SealedSecrets, sealWithPassphrase } from './passphrase.ts'
import type { ReadVaultField } from './password-manager.ts'
import { createSealer } from './sealer.ts'
import { createSourceSecrets, type SourceSecrets } from './source-secrets.ts'
import { createStoredSecrets } from './stored-secrets.ts'
import { createVaultCache } from './vault-cache.ts'

export type Secrets = {
  list(): Promise<Secret[]>
  /** Throws `AppError`: 400 for a name or a value that cannot be one, 409 for one too many. */
  put(name: string, value: string): Promise<void>
  /** Throws a 404 `AppError`. */
  remove(name: string): Promise<void>
  /** What a spec refers to, as `resolveSecret`. Rejects with an `AppError` when a password manager does not answer. */
  resolve(spec: string): Promise<string | null>
  /** The same at once, as last known: a stored one always, one of a password manager up to five minutes old. */
  current(spec: string | null): string | null
  /** Loads what is stored, and what these settings refer to. Never rejects for a password manager. */
  load(specs: readonly (string | null)[]): Promise<void>
  /** Encrypts all anew, with a new master key where it is a file of the data folder. Resolves to how many. */
  rotate(): Promise<number>
  exportAll(passphrase: string): Promise<SealedSecrets>
  /** Stores what a file holds, in place of those of the same names. Resolves to how many; 400 `AppError`. */
  importAll(file: SealedSecrets, passphrase: string): Promise<number>
  /** What Void keeps for sources: sealed as the rest, and in no list, no export, and no setting. */
  ofSources: SourceSecrets
  close(): void
}

export type SecretsDeps = {
  database: Database
  keyring: Keyring
  readVaultField: ReadVaultField
  logger: Logger
  now: () => Date
}

const channel = 'void_secrets'

export function createSecrets(deps: SecretsDeps): Secrets {
  const { database, keyring, logger, now } = deps
  const repo = createSecretsRepo(database)
  const sealer = createSealer(keyring, logger)
  const stored = createStoredSecrets({ repo, sealer, logger, now })
  const vault = createVaultCache(deps)
  // One change at a time: nothing is encrypted with a key that a rotation is about to replace.
  let queue: Promise<unknown> = Promise.resolve()
  const refresh = () =>
    void stored.load().catch((error: unknown) => logger.warn({ err: error }, 'secrets not loaded'))
  const unlisten = database.notifications.listen(channel, refresh, refresh)
  const current = (spec: string | null) =>
    resolveSecret(spec, { ...processDeps, stored: stored.peek, vault: vault.peek })

  return {
    list: async () => (await repo.list()).map(sealer.describe),
    put: (name, value) => change(() => sealer.store(repo, { name, value, now: now() })),
    remove: (name) =>
      change(async () => {
        if (!(await repo.remove(name))) throw notFound('secret', name)
      }),

    async resolve(spec) {
      const { scheme, rest } = parseSpec(spec)
      if (scheme === 'secret') await stored.loadOne(rest)
      if (scheme === 'bw') await vault.load(rest)
      return current(spec)
    },

    current,

    async load(specs) {
      await stored.load()
      const references = specs.map((spec) => parseSpec(spec ?? '')).filter(({ scheme }) => scheme === 'bw')
      await Promise.allSettled(references.map(({ rest }) => vault.load(rest)))
    },

    rotate: () => change(() => sealer.rotate(database)),
    exportAll: async (passphrase) =>
      await sealWithPassphrase(Object.fromEntries(sealer.openAll(await repo.list())), passphrase),

    async importAll(file, passphrase) {
      const values = Object.entries(await openWithPassphrase(file, passphrase))
      await change(() =>
        database.transaction(async (tx) => {
          for (const [name, value] of values) {
            await sealer.store(createSecretsRepo(tx), { name, value, now: now() })
          }
        }),
      )
      return values.length
    },

    ofSources: createSourceSecrets({ repo, sealer, inOrder, now }),
    close: unlisten,
  }

  function change<Result>(work: () => Promise<Result>): Promise<Result> {
    return inOrder(async () => {
      const result = await work()
      await stored.load()
      database.notifications.notify(channel, '')
      return result
    })
  }

  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = queue.then(work)
    queue = run.catch(() => {})
    return run
  }
}
