// Which model is connected: as the owner set it in Settings, else as the configuration has it. Held in memory, since it
// is asked for with each message; a change holds for the next one, on all servers of the database.

import { secretReference } from '../../auth/secrets/resolve-secret.ts'
import type { Secrets } from '../../auth/secrets/secrets.ts'
import type { ModelConnection, NewModelConnection } from '../../contract/model.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createModelSettingsRepo, type ModelSettingsRow } from '../../db/repos/secrets.ts'
import { toWireAbilities } from '../adapt/abilities.ts'
import { basicKey, readServerAddress, withoutCredentials } from '../wires/server-address.ts'
import type { ModelSettings } from './model-provider.ts'
import type { ModelServers } from './model-servers.ts'

export type ModelConnections = {
  /** What holds now. The same object until it changes. */
  current(): ModelSettings
  describe(): ModelConnection
  /** Throws a 400 `AppError` where another address would be given the key of the present one. */
  save(connection: NewModelConnection): Promise<void>
  /** Back to the configuration. A key that was stored for it is deleted. */
  reset(): Promise<void>
  load(): Promise<void>
  close(): void
}

export type ModelConnectionsDeps = {
  database: Database
  secrets: Pick<Secrets, 'put' | 'remove' | 'load'>
  configured: ModelSettings
  servers: Pick<ModelServers, 'abilities' | 'load'>
  logger: Logger
}

const channel = 'void_model_settings'
/** The secret in which a key is stored that was given as such. */
const ownSecret = 'model-connection-key'
const ownReference = `secret:${ownSecret}`

export function createModelConnections(deps: ModelConnectionsDeps): ModelConnections {
  const { database, secrets, configured, servers, logger } = deps
  const repo = createModelSettingsRepo(database)
  let row: ModelSettingsRow | null = null
  let settings = configured
  const refresh = () =>
    void load().catch((error: unknown) => logger.warn({ err: error }, 'model settings not loaded'))
  const unlisten = database.notifications.listen(channel, refresh, refresh)

  return {
    current: () => settings,
    describe,
    load,

    async save(connection) {
      const { api_key, ...chosen } = moveCredentials(connection)
      const kept = api_key === undefined ? keptKey(chosen) : noKey
      // Without a key first: at no moment is one sent to the address of another.
      await repo.save({ ...chosen, ...kept })
      await changed()
      if (api_key === undefined) return
      await storeKey(api_key)
      await repo.save({ ...chosen, key_reference: referenceTo(api_key), configured_key: false })
      await changed()
    },

    async reset() {
      await repo.remove()
      await forgetKey()
      await changed()
    },

    close: unlisten,
  }

  async function load(): Promise<void> {
    row = await repo.find()
    await servers.load()
    settings = row ? { ...configured, ...settingsOf(row) } : configured
    await secrets.load([settings.apiKey])
  }

  async function changed(): Promise<void> {
    await load()
    database.notifications.notify(channel, '')
  }

  function settingsOf(own: ModelSettingsRow): Omit<ModelSettings, 'silenceMs'> {
    const { wire, base_url: baseUrl, model, small_model: smallModel } = own
    const maxTokens = own.max_tokens ?? configured.maxTokens
    const isConfigured = own.configured_key && baseUrl === configured.baseUrl
    const apiKey = isConfigured ? configured.apiKey : own.key_reference
    return { wire, baseUrl, model, smallModel, maxTokens, apiKey }
  }

  function describe(): ModelConnection {
    const { wire = 'messages', apiKey, baseUrl, model, smallModel } = settings
    return {
      wire,
      base_url: baseUrl && withoutCredentials(baseUrl),
      model,
      small_model: smallModel,
      max_tokens: row?.max_tokens ?? null,
      from: row ? 'settings' : 'configuration',
      key: apiKey === null ? 'none' : !row || row.configured_key ? 'configuration' : 'stored',
      abilities: toWireAbilities(servers.abilities({ wire, baseUrl, model }), wire),
    }
  }

  async function storeKey(key: string | null): Promise<void> {
    if (key === null) return await forgetKey()
    if (!secretReference.test(key)) await secrets.put(ownSecret, key)
  }

  /** A key is for one address: another one is not given it without a word. */
  function keptKey({
    wire,
    base_url: baseUrl,
  }: Pick<NewModelConnection, 'wire' | 'base_url'>): Pick<
    ModelSettingsRow,
    'key_reference' | 'configured_key'
  > {
    const isSame = baseUrl === settings.baseUrl && wire === (settings.wire ?? 'messages')
    const isKept = settings.apiKey === null || isSame
    if (!isKept) throw invalid('Enter the API key again: the stored one belongs to another address.')
    return {
      key_reference: row?.key_reference ?? null,
      configured_key: row ? row.configured_key : configured.apiKey !== null,
    }
  }

  async function forgetKey(): Promise<void> {
    await secrets.remove(ownSecret).catch((error: unknown) => {
      if (!(error instanceof AppError && error.status === 404)) throw error
    })
  }
}

const noKey = { key_reference: null, configured_key: false }

const referenceTo = (key: string | null) => (key === null || secretReference.test(key) ? key : ownReference)

/**
 * A name and password in an address are its key, and stored as such. Throws a 400 `AppError` where another key is given.
 */
function moveCredentials(connection: NewModelConnection): NewModelConnection {
  const { base_url, api_key, wire } = connection
  const { credentials } = readServerAddress(base_url, wire)
  if (base_url === null || credentials === null) return connection
  if (api_key) throw invalid('Give either an API key or a name and password in the address, not both.')
  return { ...connection, base_url: withoutCredentials(base_url), api_key: basicKey(credentials) }
}
