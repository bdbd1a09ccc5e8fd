import { createCompanionRegistry } from './ai/agent/tools/index.ts'
import type { Deps } from './api/deps.ts'
import { createAuthentication } from './auth/authenticate.ts'
import { createDecisions } from './changes/decide.ts'
import { createProposeChange } from './changes/propose.ts'
import { createWriter } from './changes/write.ts'
import { createCompanion } from './companion/companion.ts'
import type { ModelProvider } from './companion/model-provider.ts'
import { createToolServices } from './companion/tool-services.ts'
import type { Database } from './db/pool.ts'
import type { Kinds } from './entities/kinds.ts'
import type { Logger } from './logger.ts'
import { createSearch } from './search/search.ts'

export type Parts = {
  database: Database
  kinds: Kinds
  models: ModelProvider
  ownerToken: string
  logger: Logger
  now: () => Date
  version: string
}

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble(parts: Parts): Deps {
  const { database, kinds, models, logger, now } = parts
  const search = createSearch({ db: database })
  const writer = createWriter({ kinds, search, now })
  const proposeChange = createProposeChange({ database, kinds })
  const services = createToolServices({ database, kinds, search, proposeChange })
  const registry = createCompanionRegistry(kinds.all)

  return {
    ...parts,
    search,
    writer,
    proposeChange,
    decisions: createDecisions({ database, kinds, writer }),
    companion: createCompanion({ database, kinds, registry, services, models, logger, now }),
    authentication: createAuthentication(parts),
  }
}
