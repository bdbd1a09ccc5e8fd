import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolRegistry } from './ai/agent/registry.ts'
import { createCompanionRegistry } from './ai/agent/tools/index.ts'
import type { Deps } from './api/deps.ts'
import { createDrills } from './attention/drills.ts'
import { createAuthentication } from './auth/authenticate.ts'
import { createChangesets } from './changes/changesets.ts'
import { createDecisions } from './changes/decide.ts'
import type { DraftLimits } from './changes/draft-limits.ts'
import { createLedger } from './changes/ledger.ts'
import { createPreviews } from './changes/preview.ts'
import { createProposeChange } from './changes/propose.ts'
import { createRetractChange } from './changes/retract.ts'
import { createUndo } from './changes/undo.ts'
import { createWriter } from './changes/write.ts'
import { createCompanion } from './companion/companion.ts'
import type { ModelProvider } from './companion/model-provider.ts'
import { keepNames } from './companion/naming/keep-names.ts'
import { createSideModels } from './companion/side-models.ts'
import { createToolServices } from './companion/tool-services.ts'
import type { Database } from './db/pool.ts'
import type { EmbeddingSettings } from './embed/embedder.ts'
import { createEmbedding, type Embedding } from './embed/embedding.ts'
import { createHttpEmbedder } from './embed/http-embedder.ts'
import type { Kinds } from './entities/kinds.ts'
import { createImportJobs } from './import/job/import-jobs.ts'
import { createAfterCommit } from './live/after-commit.ts'
import { announceUndos, announceWrites, createChangeTeller } from './live/announce.ts'
import { createLive } from './live/live.ts'
import type { Logger } from './logger.ts'
import { createIndexKeeper } from './maintenance/keep-index.ts'
import type { Language } from './search/languages.ts'
import { createSearch } from './search/search.ts'
import { createDailyBudget } from './usage/budget.ts'
import { listPrices, type Prices } from './usage/prices.ts'

export type Parts = {
  database: Database
  kinds: Kinds
  models: ModelProvider
  ownerToken: string
  logger: Logger
  now: () => Date
  publicUrl?: string | null
  /** 30 when left out, as in the configuration. */
  trashDays?: number
  /** None when left out. */
  draftLimits?: DraftLimits
  /** English when left out. */
  searchLanguages?: readonly Language[]
  /** Where files wait that were handed over for an import; left out: in the system's folder for what is temporary. */
  importFolder?: string
  /** None when left out: search is by words alone. */
  embedding?: EmbeddingSettings | null
  /** Prices beside or in place of the list prices. */
  prices?: Prices
  /** No limit when left out. */
  dailyTokens?: number | null
  version: string
  /** The companion's tools; left out: Void's own. */
  registry?: ToolRegistry
}

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble(parts: Parts): Deps {
  const { kinds, models, logger, now, version } = parts
  const { notifications } = parts.database
  const live = createLive({ boot: randomUUID().slice(0, 8), version, notifications })
  const afterCommit = createAfterCommit(parts.database)
  const { database } = afterCommit
  const ledger = createLedger({ onChange: createChangeTeller(afterCommit, live, logger) })

  const embedding = parts.embedding ? embeddingOf(parts.embedding, { database, logger, now }) : null
  const search = createSearch({ db: database, kinds, languages: parts.searchLanguages, embedding })
  const writer = announceWrites(createWriter({ kinds, search, now }), live, afterCommit)
  const proposeChange = createProposeChange({
    database,
    kinds,
    ledger,
    limits: parts.draftLimits,
    languages: parts.searchLanguages,
  })
  const retractChange = createRetractChange({ database, ledger })
  const services = createToolServices({ database, kinds, search, proposeChange, retractChange })
  const budget = createDailyBudget({ database, dailyTokens: parts.dailyTokens ?? null, now })
  const sideModels = createSideModels({ database, models, budget, logger })
  const registry = parts.registry ?? createCompanionRegistry(kinds.all)
  const companion = createCompanion({
    database,
    kinds,
    registry,
    services,
    models,
    sideModels,
    budget,
    logger,
    now,
    onTurn: (data) => live.publish({ type: 'turn', data }),
  })

  keepNames({ database, models, sideModels, live, logger })
  const importFolder = parts.importFolder ?? join(tmpdir(), 'void-imports')
  const imports = createImportJobs({
    database,
    kinds,
    writer,
    search,
    proposeChange,
    logger,
    folder: importFolder,
  })

  return {
    ...parts,
    imports,
    publicUrl: parts.publicUrl ?? null,
    trashDays: parts.trashDays ?? 30,
    database,
    live,
    search,
    embedding,
    indexKeeper: createIndexKeeper({ database, kinds, search, logger, now }),
    writer,
    proposeChange,
    retractChange,
    decisions: createDecisions({ database, kinds, writer, ledger }),
    changesets: createChangesets({ database, kinds, writer, ledger }),
    previews: createPreviews({ database, kinds, search, now }),
    drills: createDrills({ database, ledger, now }),
    undo: announceUndos(createUndo({ database, kinds, writer, now }), { database, live }),
    companion,
    sideModels,
    budget,
    prices: new Map([...listPrices, ...(parts.prices ?? [])]),
    authentication: createAuthentication(parts),
  }
}

/** A model configured before can be asked where it is at the same provider, with the same key. */
function embeddingOf(
  settings: EmbeddingSettings,
  deps: { database: Database; logger: Logger; now: () => Date },
): Embedding {
  return createEmbedding({
    ...deps,
    embedder: createHttpEmbedder(settings),
    embedderOf: ({ provider, url, model }) =>
      provider === settings.provider && url === settings.url
        ? createHttpEmbedder({ ...settings, model })
        : null,
  })
}
