import type { ModelConnections } from '../ai/models/model-connection.ts'
import type { ModelProvider } from '../ai/models/model-provider.ts'
import type { SideModels } from '../ai/models/side-models.ts'
import type { DailyBudget } from '../ai/usage/budget.ts'
import type { Prices } from '../ai/usage/prices.ts'
import type { Authentication } from '../auth/authenticate.ts'
import type { OAuth } from '../auth/oauth/server/oauth.ts'
import type { OwnerZone } from '../auth/owner-zone.ts'
import type { Secrets } from '../auth/secrets/secrets.ts'
import type { LoadCards } from '../changes/card/load-cards.ts'
import type { Changesets } from '../changes/changesets.ts'
import type { Decisions } from '../changes/decide.ts'
import type { Previews } from '../changes/preview.ts'
import type { RetractChange, ReviseChange } from '../changes/propose/own-drafts.ts'
import type { ProposeChange } from '../changes/propose/propose.ts'
import type { WriteOrPropose } from '../changes/propose/write-or-propose.ts'
import type { Companion } from '../companion/companion.ts'
import type { Conversations } from '../companion/conversations.ts'
import type { Glance } from '../companion/glance/glance.ts'
import type { Memory } from '../companion/memory/memory.ts'
import type { Naming } from '../companion/naming.ts'
import type { Research } from '../companion/research/research.ts'
import type { Routines } from '../companion/routines/routines.ts'
import type { ModelTrial } from '../companion/trial/model-trial.ts'
import type { Undo } from '../content/writes/undo.ts'
import type { Writer } from '../content/writes/write.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Logger } from '../core/logger.ts'
import type { Database } from '../db/pool.ts'
import type { Repos } from '../db/repos/repos.ts'
import type { Folders } from '../files/folder/folders.ts'
import type { ImportJobs } from '../files/import/job/import-jobs.ts'
import type { TextThreads } from '../jobs/workers/text-threads.ts'
import type { Indexer } from '../ops/maintenance/indexer.ts'
import type { NightlyBackup } from '../ops/maintenance/nightly-backup.ts'
import type { Stalls } from '../ops/maintenance/stalls.ts'
import type { Telemetry } from '../ops/telemetry/telemetry.ts'
import type { Mail } from '../outside/mail/mail.ts'
import type { Mcp } from '../outside/mcp/endpoint.ts'
import type { CallRunner } from '../outside/sources/call-runner.ts'
import type { Connections } from '../outside/sources/connections.ts'
import type { LoadExternalImage } from '../outside/sources/external-image.ts'
import type { OutsideTools } from '../outside/sources/outside-tools.ts'
import type { Sources } from '../outside/sources/sources.ts'
import type { Embedding } from '../search/embed/embedding.ts'
import type { Search } from '../search/search.ts'
import type { Live } from '../space/live/live.ts'
import type { Spaces } from '../space/spaces.ts'
import type { TurnLimit } from './guard.ts'

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
  modelTrial: ModelTrial
  secrets: Secrets
  sources: Sources
  outsideTools: OutsideTools
  callRunner: CallRunner
  /** Closed with the server. */
  connections: Connections
  mail: Mail
  glance: Glance
  routines: Routines
  memory: Memory
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
  /** Folders that are kept in step with Spaces. */
  folders: Folders
  spaces: Spaces
  conversations: Conversations
  naming: Naming
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
  /** Nightly backup; `null`: not configured, or not of an embedded database. */
  backup: NightlyBackup | null
  loadExternalImage: LoadExternalImage
  telemetry: Telemetry
  mcp: Mcp
  oauth: OAuth
  logger: Logger
  now: () => Date
  /** A Markdown export, in its parts, as one HTML file without scripts. `slug`, `origin`: for its links. */
  sharedPage: (
    parts: AsyncIterable<string>,
    page: { title: string; slug: string; origin: string },
  ) => AsyncIterable<string>
  /** Decides what day it is. Closed with the server. */
  ownerZone: OwnerZone
}
