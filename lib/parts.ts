// What one Void is put together from.

import type { ToolRegistry } from './ai/agent/registry.ts'
import type { ModelProvider } from './ai/models/model-provider.ts'
import type { DraftLimits } from './changes/propose/draft-limits.ts'
import type { Database } from './db/pool.ts'
import type { EmbeddingSettings } from './embed/embedder.ts'
import type { Kinds } from './entities/kinds.ts'
import type { Logger } from './logger.ts'
import type { DiscoveryNetwork } from './mail/discovery.ts'
import type { ConnectDrafts } from './mail/replies/deliver-replies.ts'
import type { ConnectMailServer } from './mail/sync/mail-server.ts'
import type { ModelConnections } from './model-connection.ts'
import type { Network } from './oauth/client-document/fetch-document.ts'
import type { Language } from './search/languages.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { LoadExternalImage } from './sources/external-image.ts'
import type { Resolve } from './sources/sign-in/outgoing-fetch.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { Prices } from './usage/prices.ts'
import type { TextThreads } from './workers/text-threads.ts'

export type Parts = {
  database: Database
  kinds: Kinds
  models: ModelProvider
  /** Left out: nothing is configured. */
  connections?: ModelConnections
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
  /** The system's folder for what is temporary when left out. */
  dataFolder?: string
  /** None when left out: search is by words alone. */
  embedding?: EmbeddingSettings | null
  /** Left out: with a key of this process, so that they end with it. */
  secrets?: Secrets
  /** Prices beside or in place of the list prices. */
  prices?: Prices
  /** How long a conversation is quiet before it is described, in milliseconds; left out: as startNaming has it. */
  namingQuietMs?: number
  /** No limit when left out. */
  dailyTokens?: number | null
  version: string
  /** Left out: threads of its own. */
  threads?: TextThreads
  /** Turns that run at once; left out: 512. */
  maxTurns?: number
  /** Messages of the owner; any number when left out. */
  turnsPerMinute?: number | null
  /** Where programs that ask to be connected have their documents; left out: the internet. */
  clientNetwork?: Network
  /** How long a call of an outside tool may take, in milliseconds; left out: as createCallTool has it. */
  callMs?: number
  /** The addresses of host names that sources name; left out: by DNS. */
  resolveHost?: Resolve
  /** How servers of mail are reached and tried again; left out: over IMAP, as followAccount has it. */
  mail?: { connect: ConnectMailServer; retryMs?: number; drafts?: DraftsOptions }
  /** Where servers of mail are looked for; left out: the internet. */
  mailDiscovery?: DiscoveryNetwork
  /** Images that texts name; left out: from the internet. */
  loadExternalImage?: LoadExternalImage
  /** Left out: as createGlance has it. */
  glance?: { analystMs: number }
  /** Left out: counts of its own, and no traces. */
  telemetry?: Telemetry
  /** A secret that reads the metrics and nothing else; left out: none. */
  metricsToken?: string | null
  /** The companion's tools; left out: Void's own. */
  registry?: ToolRegistry
}

type DraftsOptions = { connect: ConnectDrafts; retryMs?: number; settleMs?: number }
