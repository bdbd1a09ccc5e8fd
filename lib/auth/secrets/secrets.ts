// The owner's secrets, and the one way in which a setting that refers to one is resolved.

import type { Secret } from '../../contract/auth.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { type Logger, scrubberOf } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createSecretsRepo, type SecretRow } from '../../db/repos/secrets.ts'
import type { Keyring } from './master-key.ts'
import { openWithPassphrase, type SealedSecrets, sealWithPassphrase } from './passphrase.ts'
import type { ReadVaultField } from './password-manager.ts'
import { filesOf, parseSpec, processDeps, resolveSecret } from './resolve-secret.ts'
import { createSealer, type Sealer } from './sealer.ts'
import { createSourceSecrets, type SourceSecrets } from './source-secrets.ts'

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
  /** The files that the settings of sources, mail and the model refer to. */
  files(): Promise<string[]>
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

type SecretsDeps = {
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
  const scrubber = scrubberOf(logger)
  // A text that refers to nothing may be any setting.
  const current = (spec: string | null) => {
    const value = resolveSecret(spec, { ...processDeps, stored: stored.peek, vault: vault.peek })
    return value === null || value === spec ? value : inUse(value, spec!)
  }

  return {
    list: async () => (await repo.list()).map(sealer.describe),
    put: (name, value) =>
      change(() => sealer.store(repo, { name, value: inUse(value, `secret:${name}`), now: now() })),
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

    async files() {
      return filesOf((await repo.listReferences()).map((text) => text.replace(/^\w+ (?=file:)/, '')))
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

    ofSources: createSourceSecrets({ database, sealer, inOrder, now }),
    close: unlisten,
  }

  function inUse(value: string, spec: string): string {
    scrubber.add(value, spec)
    return value
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

// The rows, sealed, in memory: what cannot wait (which model answers) is resolved without a query. A value is opened at
// use, and its use noted.

type StoredSecrets = {
  load(): Promise<void>
  loadOne(name: string): Promise<void>
  /** The value; `null` when there is none. Throws `AppError` `secrets_unreadable` for one that cannot be decrypted. */
  peek(name: string): string | null
}

const noteUseEveryMs = 60_000

function createStoredSecrets(deps: {
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
      if (!row) return null
      const value = sealer.open(row)
      if (value === null) throw unreadableSecret(name)
      noteUse(name)
      return value
    },
  }

  function noteUse(name: string): void {
    const at = now()
    if (at.getTime() - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < noteUseEveryMs) return
    noted.set(name, at.getTime())
    repo
      .noteUse(name, at)
      .catch((error: unknown) => logger.warn({ err: error }, 'use of secret not recorded'))
  }
}

const unreadableSecret = (name: string) =>
  conflict(
    'secrets_unreadable',
    `The stored secret “${name}” cannot be opened: the key that it was encrypted with is missing. Restore secrets-key, or enter the secret again.`,
  )

// What a password manager last answered. Asking it takes seconds, so an answer is used for five minutes and asked for
// again behind the back of whoever uses an older one.

export type VaultCache = {
  /** Asks, once for all who wait. Rejects as the reader does. */
  load(reference: string): Promise<void>
  /** The last answer; `null` before there is one. */
  peek(reference: string): string | null
}

type Known = { value: string | null; at: number }

const maxAgeMs = 5 * 60_000

/** After a failure the program is left alone for a while. */
const retryMs = 30_000

export function createVaultCache(deps: {
  readVaultField: ReadVaultField
  logger: Logger
  now: () => Date
}): VaultCache {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()
  const failed = new Map<string, number>()

  return { load, peek }

  function load(reference: string): Promise<void> {
    const running = loading.get(reference)
    if (running) return running
    const run = ask(reference).finally(() => loading.delete(reference))
    loading.set(reference, run)
    return run
  }

  async function ask(reference: string): Promise<void> {
    try {
      known.set(reference, { value: await deps.readVaultField(reference), at: deps.now().getTime() })
      failed.delete(reference)
    } catch (error) {
      failed.set(reference, deps.now().getTime())
      deps.logger.warn({ err: error }, 'password manager did not respond')
      throw error
    }
  }

  function peek(reference: string): string | null {
    const at = deps.now().getTime()
    const found = known.get(reference)
    const isOld = !found || at - found.at > maxAgeMs
    if (isOld && at - (failed.get(reference) ?? Number.NEGATIVE_INFINITY) > retryMs)
      load(reference).catch(() => {})
    return found?.value ?? null
  }
}
