import { randomUUID } from 'node:crypto'
import { createModelConnections } from '../ai/models/model-connection.ts'
import { createModelProvider } from '../ai/models/model-provider.ts'
import { createModelServers } from '../ai/models/model-servers.ts'
import { createSideModels } from '../ai/models/side-models.ts'
import { createDailyBudget } from '../ai/usage/budget.ts'
import { listPrices } from '../ai/usage/prices.ts'
import type { Deps } from '../api/deps.ts'
import { createOwnerZone, type OwnerZone } from '../auth/owner-zone.ts'
import { createReadVaultField } from '../auth/secrets/password-manager.ts'
import { pickEnv } from '../auth/secrets/resolve-secret.ts'
import { createSecrets, type Secrets } from '../auth/secrets/secrets.ts'
import { kinds as ownKinds } from '../contract/entities/kinds.ts'
import { type Logger, scrubberOf } from '../core/logger.ts'
import { version } from '../core/version.ts'
import type { Database } from '../db/pool.ts'
import { createTextThreads } from '../jobs/workers/text-threads.ts'
import { createTelemetry, type Telemetry } from '../ops/telemetry/telemetry.ts'
import { watchDatabase, watchModels, watchSearch } from '../ops/telemetry/watch.ts'
import { createSandbox } from '../outside/sources/sandbox/sandbox.ts'
import { createConfiguredEmbedding, type Embedding } from '../search/embed/embedding.ts'
import { createSearch } from '../search/search.ts'
import { createLive } from '../space/live/live.ts'
import { type Config, embeddingSettings, modelSettings, ownFiles, secretsOf } from './config.ts'
import type { Parts } from './parts.ts'

export type Base = ReturnType<typeof createBase>

/** What the other parts stand on: the database, the secrets, the models and the search, timed and counted. */
export function createBase(config: Config, parts: Parts) {
  const { logger, now = () => new Date(), kinds = ownKinds } = parts
  const { telemetry = createTelemetry(), threads = createTextThreads() } = parts
  const scrubber = scrubberOf(logger)
  for (const secret of [parts.ownerToken, ...secretsOf(config), ...Object.values(pickEnv(/^BW_SESSION$/))])
    scrubber.add(secret)
  const database = watchDatabase(parts.database, telemetry)
  const { notifications } = database
  const live = createLive({ boot: randomUUID().slice(0, 8), version, notifications })
  const { keyring } = parts
  const readVaultField = createReadVaultField()
  const secrets = createSecrets({ database, keyring, readVaultField, logger, now })
  const sandbox = createSandbox({
    dataFolder: config.dataDir,
    startFolder: process.cwd(),
    hidden: ownFiles(config),
    findHidden: secrets.files,
  })
  const ownerZone = createOwnerZone({ database, logger, now })
  const ai = createAi(config, parts.models, { database, secrets, telemetry, logger, now, ownerZone })
  const embedding = createOwnEmbedding(config, { database, secrets, logger, now })
  const { searchLanguages: languages } = config
  const search = watchSearch(createSearch({ db: database, kinds, languages, embedding }), telemetry)
  return {
    database,
    kinds,
    threads,
    live,
    secrets,
    sandbox,
    ai,
    embedding,
    search,
    telemetry,
    logger,
    scrubber,
    now,
    ownerZone,
    calendar: ownerZone.calendar,
  }
}

type Environment = {
  database: Database
  secrets: Secrets
  logger: Logger
  now: () => Date
}

function createAi(
  config: Config,
  replaced: Parts['models'],
  {
    database,
    secrets,
    telemetry,
    logger,
    now,
    ownerZone,
  }: Environment & { telemetry: Telemetry; ownerZone: OwnerZone },
): Deps['ai'] {
  const { calendar } = ownerZone
  const configured = modelSettings(config)
  const servers = createModelServers({ database, logger })
  const connections = createModelConnections({ database, secrets, configured, servers, logger })
  const provider =
    replaced ??
    createModelProvider(connections.current, {
      now,
      zone: calendar.zone,
      resolve: secrets.current,
      scrub: scrubberOf(logger).scrub,
      servers,
    })
  const models = watchModels(provider, telemetry)
  const budget = createDailyBudget({ database, dailyTokens: config.dailyTokens, calendar })
  return {
    connections,
    models,
    sideModels: createSideModels({ database, models, budget, logger }),
    budget,
    prices: new Map([...listPrices, ...config.modelPrices]),
  }
}

/** `null`: search is by words alone. */
function createOwnEmbedding(
  config: Config,
  { database, secrets, logger, now }: Environment,
): Embedding | null {
  const settings = embeddingSettings(config)
  if (!settings) return null
  const readKey = () => secrets.current(settings.apiKey)
  return createConfiguredEmbedding({ database, logger, now, settings, readKey })
}
