import type { ModelProvider } from '../ai/models/model-provider.ts'
import type { SideModels } from '../ai/models/side-models.ts'
import type { Authentication } from '../auth/authenticate.ts'
import type { LoadCards } from '../changes/card/load-cards.ts'
import type { Changesets } from '../changes/changesets.ts'
import type { Decisions } from '../changes/decide.ts'
import type { Previews } from '../changes/preview.ts'
import type { ProposeChange } from '../changes/propose/propose.ts'
import type { ReviseChange } from '../changes/propose/revise.ts'
import type { WriteOrPropose } from '../changes/propose/write-or-propose.ts'
import type { RetractChange } from '../changes/retract.ts'
import type { Companion } from '../companion/companion.ts'
import type { Conversations } from '../companion/conversations.ts'
import type { Database } from '../db/pool.ts'
import type { Embedding } from '../embed/embedding.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Glance } from '../glance/glance.ts'
import type { ImportJobs } from '../import/job/import-jobs.ts'
import type { Live } from '../live/live.ts'
import type { Logger } from '../logger.ts'
import type { Mail } from '../mail/mail.ts'
import type { Indexer } from '../maintenance/indexer.ts'
import type { Stalls } from '../maintenance/stalls.ts'
import type { Mcp } from '../mcp/endpoint.ts'
import type { ModelConnections } from '../model-connection.ts'
import type { OAuth } from '../oauth/server/oauth.ts'
import type { Repos } from '../repos.ts'
import type { Research } from '../research/research.ts'
import type { Search } from '../search/search.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { CallRunner } from '../sources/call-runner.ts'
import type { Connections } from '../sources/connections.ts'
import type { LoadExternalImage } from '../sources/external-image.ts'
import type { OutsideTools } from '../sources/outside-tools.ts'
import type { Sources } from '../sources/sources.ts'
import type { Spaces } from '../spaces/spaces.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { DailyBudget } from '../usage/budget.ts'
import type { Prices } from '../usage/prices.ts'
import type { TextThreads } from '../workers/text-threads.ts'
import type { Undo } from '../writes/undo.ts'
import type { Writer } from '../writes/write.ts'
import type { TurnLimit } from './limits/limiter.ts'

/** What routes work with: the parts of one running Void. */
export type Deps = {
  database: Database
  /** For what is one query and no more. */
  repos: Repos
  kinds: Kinds
  /** For what takes long on a large text. Closed with the server. */
  threads: TextThreads
  /** The same, also in a transaction of `database`. */
  search: Search
  indexing: Indexing
  content: Content
  changes: Changes
  companion: Companion
  research: Research
  ai: Ai
  secrets: Secrets
  sources: Sources
  outsideTools: OutsideTools
  callRunner: CallRunner
  /** Closed with the server. */
  connections: Connections
  mail: Mail
  glance: Glance
  server: Server
}

type Indexing = {
  indexer: Indexer
  /** Null: search is by words alone. */
  embedding: Embedding | null
}

/** What changes what a Space holds. */
type Content = {
  writer: Writer
  undo: Undo
  imports: ImportJobs
  /** Where an import puts what it unpacks. */
  importFolder: string
  spaces: Spaces
  conversations: Conversations
}

/** Drafts and the owner's decisions on them. */
type Changes = {
  loadCards: LoadCards
  proposeChange: ProposeChange
  writeOrPropose: WriteOrPropose
  retractChange: RetractChange
  reviseChange: ReviseChange
  decisions: Decisions
  changesets: Changesets
  previews: Previews
}

type Ai = {
  models: ModelProvider
  connections: ModelConnections
  sideModels: SideModels
  budget: DailyBudget
  prices: Prices
}

type Server = {
  version: string
  /** Where files are stored, and the embedded database. */
  dataFolder: string
  /** Where people reach this server, without a trailing slash; `null`: wherever a request came to. */
  publicUrl: string | null
  /** Days until a deleted thing is permanently deleted. */
  trashDays: number
  authentication: Authentication
  limitTurns: TurnLimit
  live: Live
  stalls: Stalls
  loadExternalImage: LoadExternalImage
  telemetry: Telemetry
  mcp: Mcp
  oauth: OAuth
  logger: Logger
  now: () => Date
}
