import type { Drills } from '../attention/drills.ts'
import type { Authentication } from '../auth/authenticate.ts'
import type { Changesets } from '../changes/changesets.ts'
import type { Decisions } from '../changes/decide.ts'
import type { Previews } from '../changes/preview.ts'
import type { ProposeChange } from '../changes/propose.ts'
import type { RetractChange } from '../changes/retract.ts'
import type { Undo } from '../changes/undo.ts'
import type { Writer } from '../changes/write.ts'
import type { Companion } from '../companion/companion.ts'
import type { ModelProvider } from '../companion/model-provider.ts'
import type { SideModels } from '../companion/side-models.ts'
import type { Database } from '../db/pool.ts'
import type { Embedding } from '../embed/embedding.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { ImportJobs } from '../import/job/import-jobs.ts'
import type { Live } from '../live/live.ts'
import type { Logger } from '../logger.ts'
import type { IndexKeeper } from '../maintenance/keep-index.ts'
import type { Search } from '../search/search.ts'
import type { DailyBudget } from '../usage/budget.ts'
import type { Prices } from '../usage/prices.ts'

/** What routes work with: the parts of one running Void. */
export type Deps = {
  database: Database
  kinds: Kinds
  live: Live
  search: Search
  indexKeeper: IndexKeeper
  /** Null: search is by words alone. */
  embedding: Embedding | null
  writer: Writer
  proposeChange: ProposeChange
  imports: ImportJobs
  retractChange: RetractChange
  decisions: Decisions
  changesets: Changesets
  previews: Previews
  undo: Undo
  drills: Drills
  companion: Companion
  models: ModelProvider
  sideModels: SideModels
  budget: DailyBudget
  prices: Prices
  authentication: Authentication
  logger: Logger
  now: () => Date
  /** Where people reach this server, without a slash at the end; `null`: wherever a request came to. */
  publicUrl: string | null
  /** Days until what was deleted is gone for good. */
  trashDays: number
  version: string
}
